//! Looking entries up by key, with other words for papers and numbers, and suggestions where nothing is found.

use std::fmt;

use crate::all;
use crate::entry::{Entry, Paper};
use holonom::language::closest;

/// There is no such entry, or there are several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// What was asked for.
    pub key: String,
    /// Keys that may have been meant.
    pub meant: Vec<String>,
    /// All of these are there, in several papers.
    pub several: bool,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.several {
            true => write!(f, "more than one paper has `{}`", self.key)?,
            false => write!(f, "no paper has an entry or section `{}`", self.key)?,
        }
        match &self.meant[..] {
            [] => write!(f, "; keys are a paper and a number, such as `2006:5.39`"),
            [one] => write!(f, "; did you mean `{one}`?"),
            [some @ .., last] => write!(f, "; did you mean `{}` or `{last}`?", some.join("`, `")),
        }
    }
}

impl std::error::Error for NotFound {}

/// The papers that a word stands for: `2006`, `science`; `2005` stands for two.
pub fn of_paper(name: &str) -> Vec<Paper> {
    let name = name.trim().to_lowercase();
    let named =
        |paper: &Paper| paper.names().contains(&name.as_str()) || (name == "2005" && paper.key().starts_with("2005"));
    Paper::ALL.into_iter().filter(named).collect()
}

/// A number as keys have it: without parentheses, blanks as dashes, `eq.` left out.
fn plain(number: &str) -> String {
    let lower = number.trim().to_lowercase().replace(['′', '’', '‘', '`'], "'").replace(['(', ')'], "");
    let bare = ["equation", "eq.", "eq"].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    bare.split_whitespace().collect::<Vec<_>>().join("-").replace('_', "-")
}

/// The entry with a key, `2006:5.39`.
///
/// Papers have other names too (`science:32`, `proof:15`), numbers may stand in parentheses, and a number that only one paper has needs
/// no paper before it.
///
/// # Errors
/// [`NotFound`], with what may have been meant, if there is none or more than one.
pub fn find(key: &str) -> Result<&'static Entry, NotFound> {
    let (papers, number) = parts(key);
    let same = |entry: &&Entry| papers.contains(&entry.paper) && entry.number.eq_ignore_ascii_case(&number);
    let found: Vec<&'static Entry> = all().iter().filter(same).collect();
    match found[..] {
        [one] => Ok(one),
        _ => {
            let meant = meant(key, &papers, &number, &found);
            Err(NotFound { key: key.into(), meant, several: found.len() > 1 })
        }
    }
}

/// What a key stands for.
#[derive(Clone, Debug)]
pub enum Selection {
    /// All of one paper, or of two.
    Papers(Vec<&'static Entry>),
    /// A section, or entries whose numbers begin alike, with a heading.
    Group(String, Vec<&'static Entry>),
    /// One entry.
    One(&'static Entry),
}

impl Selection {
    /// The entries, in the order of the list.
    pub fn entries(&self) -> Vec<&'static Entry> {
        match self {
            Self::Papers(entries) | Self::Group(_, entries) => entries.clone(),
            Self::One(entry) => vec![entry],
        }
    }
}

/// What a key stands for: a paper (`2006`), an entry (`2006:5.39`), a section (`2006:3`, `2005s:section-3`), or a group of
/// entries that begin alike (`2006:lemma`, `1992:5`).
///
/// An entry has precedence: `2005s:3` is the equation (3).
///
/// # Errors
/// [`NotFound`], with what may have been meant, if it stands for nothing, or for things in several papers.
pub fn select(key: &str) -> Result<Selection, NotFound> {
    let papers = of_paper(key);
    if !papers.is_empty() {
        return Ok(Selection::Papers(all().iter().filter(|entry| papers.contains(&entry.paper)).collect()));
    }
    let not_found = match find(key) {
        Ok(entry) => return Ok(Selection::One(entry)),
        Err(not_found) => not_found,
    };
    let (papers, number) = parts(key);
    if all().iter().any(|entry| papers.contains(&entry.paper) && entry.number.eq_ignore_ascii_case(&number)) {
        return Err(not_found); // in several papers
    }
    let mut groups = papers.iter().filter_map(|&paper| group(paper, &number));
    match (groups.next(), groups.next()) {
        (Some((heading, entries)), None) => Ok(Selection::Group(heading, entries)),
        (Some(_), Some(_)) => {
            let with_group = papers.iter().filter(|&&paper| group(paper, &number).is_some());
            let meant = with_group.map(|paper| format!("{}:{number}", paper.key())).collect();
            Err(NotFound { key: key.into(), meant, several: true })
        }
        _ => Err(not_found),
    }
}

/// The section of a paper with this number, or the entries whose numbers begin so, with a heading.
fn group(paper: Paper, number: &str) -> Option<(String, Vec<&'static Entry>)> {
    let of_paper = || all().iter().filter(move |entry| entry.paper == paper);
    let bare = number.trim_end_matches(['.', '-']);
    let asked = bare.strip_prefix("section-").unwrap_or(bare);
    if let Some((section, title)) = paper.sections().iter().find(|(section, _)| *section == asked) {
        let heading = format!("{}, section {section}: {title}", paper.authors());
        return Some((heading, of_paper().filter(|entry| entry.section == *section).collect()));
    }
    let begins = |entry: &&Entry| {
        let lower = entry.number.to_lowercase();
        let Some(rest) = lower.strip_prefix(bare).and_then(|rest| rest.chars().next()) else { return false };
        // A number is not cut in two: 5.1 is no beginning of 5.12, and 5 is one of 5a.
        !bare.is_empty() && (matches!(rest, '.' | '-') || (bare.ends_with(char::is_numeric) && rest.is_alphabetic()))
    };
    let entries: Vec<&'static Entry> = of_paper().filter(begins).collect();
    let heading = format!("{}, entries {bare}", paper.authors());
    (!entries.is_empty()).then_some((heading, entries))
}

/// The papers and the number of a key.
fn parts(key: &str) -> (Vec<Paper>, String) {
    match key.split_once([':', ' ', '/']) {
        Some((paper, number)) if !of_paper(paper).is_empty() => (of_paper(paper), plain(number)),
        _ => (Paper::ALL.to_vec(), plain(key)),
    }
}

/// What may have been meant: the same number in several papers, a slip of the hand, or what begins like it.
fn meant(key: &str, papers: &[Paper], number: &str, found: &[&Entry]) -> Vec<String> {
    const MOST: usize = 6;
    if !found.is_empty() {
        let entries = found.iter().map(|entry| entry.key());
        let sections = papers.iter().filter(|paper| paper.sections().iter().any(|(section, _)| *section == number));
        let groups = sections.map(|paper| format!("{}:{number}", paper.key()));
        let mut all: Vec<String> = entries.chain(groups.filter(|_| papers.len() > 1)).collect();
        all.sort();
        all.dedup();
        return all.into_iter().take(MOST).collect();
    }
    let of_these = || all().iter().filter(|entry| papers.contains(&entry.paper));
    // What begins like it, as far as anything does; of a whole paper, only from the second letter on.
    for length in (1..=number.chars().count()).rev() {
        let begin: String = number.chars().take(length).collect();
        let begins = |entry: &&Entry| entry.number.to_lowercase().starts_with(&begin);
        let near: Vec<String> = of_these().filter(begins).take(MOST).map(Entry::key).collect();
        let whole = length == number.chars().count();
        if !near.is_empty() && (whole || (length > 1 && begin.ends_with(char::is_numeric))) {
            return near;
        }
        if whole {
            let keys: Vec<String> = all().iter().map(Entry::key).collect();
            let slip = closest(key, keys.iter().map(String::as_str)).map(str::to_string).or_else(|| {
                let name = closest(number, of_these().map(|entry| entry.number))?;
                of_these().find(|entry| entry.number == name).map(Entry::key)
            });
            let numeric = number.starts_with(|c: char| c.is_ascii_digit());
            if let Some(slip) = slip.filter(|_| !numeric) {
                return vec![slip];
            }
        }
    }
    match papers {
        [paper] => {
            // Where an equation has the number of a section, the section is asked for by its name.
            let taken = |section: &str| of_these().any(|entry| entry.number == section);
            let word = |section: &str| if taken(section) { "section-" } else { "" };
            let sections = paper.sections().iter();
            sections.map(|(section, _)| format!("{}:{}{section}", paper.key(), word(section))).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_their_other_forms() {
        for (asked, key) in [
            ("2006:5.39", "2006:5.39"),
            ("2006:(5.39)", "2006:5.39"),
            ("2006 5.39", "2006:5.39"),
            ("5.39", "2006:5.39"),
            ("singular:lemma 3.1", "2006:lemma-3.1"),
            ("2006:Result_3", "2006:result-3"),
            ("1992:5c'", "1992:5c'"),
            ("1992:5c′", "1992:5c'"),
            ("1992:k1", "1992:K1"),
            ("science:32", "2005s:32"),
            ("2005:39", "2005p:39"),
            ("proof:15", "dalembert:15"),
            ("2005p:eq. 30", "2005p:30"),
        ] {
            assert_eq!(find(asked).map(Entry::key).as_deref(), Ok(key), "{asked}");
        }
    }

    #[test]
    fn what_may_have_been_meant() {
        let meant = |key: &str| find(key).expect_err(key).meant;
        assert_eq!(meant("2005:30"), ["2005p:30", "2005s:30"]);
        assert_eq!(meant("2006:lemma"), ["2006:lemma-3.1", "2006:lemma-4.1"]);
        assert_eq!(meant("2006:3.12"), ["2006:3.1", "2006:3.10", "2006:3.11"]);
        assert_eq!(meant("2006:7"), ["2006:2", "2006:3", "2006:4", "2006:5", "2006:6"]);
        assert_eq!(meant("3"), ["1992:3", "2005p:3", "2005s:3", "2006:3", "dalembert:3"]);
        assert_eq!(meant("2006:corolary-3.2"), ["2006:corollary-3.2"]);
        assert!(meant("nothing").is_empty() && meant("").is_empty());
        assert!(find("2006:5.57").unwrap_err().to_string().starts_with("no paper has an entry or section `2006:5.57`"));
    }

    #[test]
    fn sections_and_groups() {
        let group = |key: &str| match select(key) {
            Ok(Selection::Group(heading, entries)) => (heading, entries.iter().map(|e| e.key()).collect::<Vec<_>>()),
            other => panic!("{key}: {other:?}"),
        };
        let (heading, keys) = group("2006:3");
        assert_eq!(
            heading,
            "Udwadia & Phohomsiri 2006, section 3: The necessary and sufficient condition for M̄ to have full rank"
        );
        assert_eq!(keys.len(), 16);
        assert_eq!((keys[0].as_str(), keys[15].as_str()), ("2006:lemma-3.1", "2006:remark-ii"));
        assert_eq!(group("2006:section 3"), group("singular:3."));
        assert_eq!(group("1992:5").1, ["1992:5a", "1992:5a'", "1992:5b", "1992:5c", "1992:5c'"]);
        assert_eq!(group("2006:lemma").1, ["2006:lemma-3.1", "2006:lemma-4.1"]);
        assert_eq!(group("2006:6").1, ["2006:principle-v"]);
        assert_eq!(group("science:section-4").1.len(), 12);
        assert!(matches!(select("2005s:3"), Ok(Selection::One(entry)) if entry.number == "3"));
        assert!(matches!(select("2006:5.1"), Ok(Selection::One(entry)) if entry.number == "5.1"));
        assert!(matches!(select("2005"), Ok(Selection::Papers(entries)) if entries.len() > 80));
        let meant = |key: &str| select(key).expect_err(key).meant;
        assert_eq!(meant("lemma"), ["2005p:lemma", "2006:lemma"]);
        assert_eq!(meant("3"), ["1992:3", "2005p:3", "2005s:3", "2006:3", "dalembert:3"]);
        assert_eq!(meant("2005s:section-9"), ["2005s:section-3", "2005s:section-4", "2005s:section-5"]);
        let said = |key: &str| select(key).expect_err(key).to_string();
        assert!(said("3").starts_with("more than one paper has `3`; did you mean `1992:3`, "), "{}", said("3"));
        assert_eq!(said("lemma"), "more than one paper has `lemma`; did you mean `2005p:lemma` or `2006:lemma`?");
        assert_eq!(meant("2006:result-4"), ["2006:result-1"]);
    }

    /// Every section has entries, and every entry of a paper with sections is in one.
    #[test]
    fn sections_are_complete() {
        for paper in Paper::ALL {
            let of_paper = || all().iter().filter(|entry| entry.paper == paper);
            for (section, _) in paper.sections() {
                assert!(of_paper().any(|entry| entry.section == *section), "{}:{section}", paper.key());
            }
            let known = |entry: &Entry| paper.sections().iter().any(|(section, _)| *section == entry.section);
            assert!(of_paper().all(|entry| known(entry) != paper.sections().is_empty()), "{}", paper.key());
        }
    }
}
