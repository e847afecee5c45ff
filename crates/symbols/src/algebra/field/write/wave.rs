//! Waves cos(k·θ) and sin(k·θ), and sums of angles of which they are multiples.

/// The most sums of angles that are tried, and sets of them.
const MOST_SUMS: usize = 10;
const MOST_BASES: usize = 6;
/// The highest multiple of such a sum.
const HIGHEST_MULTIPLE: i64 = 8;

/// `(cosine·cos(k·θ) + sine·sin(k·θ))/2^degree`
pub struct Wave {
    pub k: Vec<i64>,
    pub cosine: i128,
    pub sine: i128,
}

/// Sums of angles, up to three, of which all waves are multiples: as few as will do.
pub(super) fn bases(waves: &[Wave], dimension: usize) -> Vec<Vec<Vec<i64>>> {
    let mut sums: Vec<Vec<i64>> = Vec::new();
    let mut add = |k: Vec<i64>| {
        let k = positive(k);
        if k.iter().any(|&n| n != 0) && !sums.contains(&k) && sums.len() < MOST_SUMS {
            sums.push(k);
        }
    };
    let turning: Vec<&Vec<i64>> = waves.iter().map(|wave| &wave.k).filter(|k| k.iter().any(|&n| n != 0)).collect();
    for (place, a) in turning.iter().enumerate() {
        for b in &turning[place + 1..] {
            for sign in [-1, 1] {
                // A product of functions of A and B has the waves A + B and A − B.
                let sum: Vec<i64> = a.iter().zip(b.iter()).map(|(a, b)| a + sign * b).collect();
                add(primitive(&sum));
            }
        }
    }
    for k in &turning {
        add(primitive(k));
    }
    for place in 0..dimension {
        add((0..dimension).map(|at| i64::from(at == place)).collect());
    }
    let fits = |basis: &[Vec<i64>]| turning.iter().all(|k| coordinates(k, basis).is_some());
    let mut bases: Vec<Vec<Vec<i64>>> = sums.iter().map(|a| vec![a.clone()]).filter(|basis| fits(basis)).collect();
    let mut sets: Vec<(usize, Vec<Vec<i64>>)> = sums.iter().enumerate().map(|(at, a)| (at, vec![a.clone()])).collect();
    for _ in 0..2 {
        if !bases.is_empty() {
            break;
        }
        let larger = |(at, set): &(usize, Vec<Vec<i64>>)| -> Vec<(usize, Vec<Vec<i64>>)> {
            let with = |next: usize| (next, set.iter().cloned().chain([sums[next].clone()]).collect());
            (at + 1..sums.len()).map(with).collect()
        };
        sets = sets.iter().flat_map(larger).collect();
        bases = sets.iter().map(|(_, set)| set).filter(|basis| fits(basis)).cloned().collect();
    }
    bases.sort_by_cached_key(|basis| likely_terms(&turning, basis));
    bases.truncate(MOST_BASES);
    bases
}

/// About how many terms there will be: waves with the same multiples, but for signs, belong to one product.
fn likely_terms(waves: &[&Vec<i64>], basis: &[Vec<i64>]) -> (usize, i64) {
    let mut patterns: Vec<Vec<i64>> =
        waves.iter().filter_map(|k| coordinates(k, basis)).map(|n| n.iter().map(|n| n.abs()).collect()).collect();
    patterns.sort_unstable();
    patterns.dedup();
    let terms = |pattern: &Vec<i64>| 1usize << pattern.iter().filter(|&&n| n != 0).count().saturating_sub(1);
    (patterns.iter().map(terms).sum(), patterns.iter().flatten().sum())
}

/// The shortest vector in the same direction.
fn primitive(k: &[i64]) -> Vec<i64> {
    let common = k.iter().fold(0i64, |mut a, &b| {
        let mut b = b;
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    });
    k.iter().map(|&n| n / common.max(1)).collect()
}

/// With a positive first entry.
fn positive(k: Vec<i64>) -> Vec<i64> {
    let negative = k.iter().find(|&&n| n != 0).is_some_and(|&n| n < 0);
    if negative { k.into_iter().map(|n| -n).collect() } else { k }
}

/// A vector as an integer combination of a few others, where these are independent.
pub(super) fn coordinates(k: &[i64], basis: &[Vec<i64>]) -> Option<Vec<i64>> {
    // Elimination without fractions on [basis | k], one row for each angle.
    let width = basis.len();
    let mut rows: Vec<Vec<i64>> = (0..k.len()).map(|at| basis.iter().map(|b| b[at]).chain([k[at]]).collect()).collect();
    for column in 0..width {
        let pivot = (column..rows.len()).find(|&row| rows[row][column] != 0)?;
        rows.swap(column, pivot);
        let leading = rows[column].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if at != column && factor != 0 {
                for (entry, above) in row.iter_mut().zip(&leading) {
                    *entry = entry.checked_mul(leading[column])?.checked_sub(above.checked_mul(factor)?)?;
                }
            }
        }
    }
    if rows.iter().skip(width).any(|row| row[width] != 0) {
        return None;
    }
    let whole = |row: &Vec<i64>, at: usize| (row[width] % row[at] == 0).then(|| row[width] / row[at]);
    let found: Vec<i64> = rows.iter().take(width).enumerate().map(|(at, row)| whole(row, at)).collect::<Option<_>>()?;
    found.iter().all(|n| n.abs() <= HIGHEST_MULTIPLE).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_of_two_is_found_from_its_waves() {
        // sin(θ₁ − θ₂) cos θ₂ has the waves θ₁ and θ₁ − 2θ₂.
        let wave = |k: [i64; 2]| Wave { k: k.to_vec(), cosine: 0, sine: 1 };
        let found = bases(&[wave([1, 0]), wave([1, -2])], 2);
        assert!(found[0].contains(&vec![1, -1]) && found[0].contains(&vec![0, 1]), "{found:?}");
    }

    #[test]
    fn coordinates_are_integers_or_nothing() {
        let basis = [vec![1, -1, 0], vec![0, 1, 0]];
        assert_eq!(coordinates(&[2, 1, 0], &basis), Some(vec![2, 3]));
        assert_eq!(coordinates(&[2, 1, 1], &basis), None);
        assert_eq!(coordinates(&[1, 0, 0], &[vec![2, 0, 0]]), None);
        assert_eq!(coordinates(&[1, 0, 0], &[vec![1, 0, 0], vec![2, 0, 0]]), None);
    }
}
