//! Names that somebody may have meant.

/// Longer names are compared as a whole only: nobody misspells them by accident in a way worth guessing.
const LONGEST: usize = 48;

/// The candidate that `name` is most likely a slip for, if any is near enough.
///
/// The same letters in another case win. Otherwise the fewest insertions, deletions, replacements and swaps of
/// neighbours count, at most one per three letters; names of one or two letters are too short to guess from. Among
/// equals the first candidate wins, so the answer does not depend on anything but the order given.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    let lower = name.to_lowercase();
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        if candidate.len() <= 4 * name.len() && candidate.to_lowercase() == lower {
            return Some(candidate);
        }
        let count = candidate.chars().take(LONGEST + 1).count();
        let shorter = letters.len().min(count);
        if letters.len() > LONGEST || count > LONGEST || shorter < 2 || letters.len().max(count) < 3 {
            continue;
        }
        let allowed = (letters.len().max(count) / 3).min(best.map_or(usize::MAX, |(distance, _)| distance - 1));
        if allowed == 0 || letters.len().abs_diff(count) > allowed {
            continue;
        }
        let distance = edits(&letters, &candidate.chars().collect::<Vec<_>>());
        if distance <= allowed {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b` (optimal string alignment).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_hand_are_recognised() {
        let names = ["theta", "Theta", "no_slip", "alpha", "x", "xy"];
        for (typed, meant) in [
            ("tehta", Some("theta")),
            ("thta", Some("theta")),
            ("THETA", Some("theta")),
            ("noslip", Some("no_slip")),
            ("alhpa", Some("alpha")),
            ("X", Some("x")),
            ("y", None),
            ("beta", None),
            ("velocity", None),
        ] {
            assert_eq!(closest(typed, names), meant, "{typed}");
        }
    }

    #[test]
    fn swaps_count_once() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(edits(&letters("ab"), &letters("ba")), 1);
        assert_eq!(edits(&letters("kitten"), &letters("sitting")), 3);
        assert_eq!(edits(&letters(""), &letters("abc")), 3);
    }

    #[test]
    fn long_names_cost_nothing() {
        let long = "x".repeat(1_000_000);
        assert_eq!(closest(&long, [long.as_str(), "x"]), None);
    }
}
