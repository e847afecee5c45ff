//! Looking entries up by key, with other words for papers and numbers, and suggestions where nothing is found.

use std::fmt;

use crate::all;
use crate::entry::{Entry, Paper};
use holonom::model::closest;

/// There is no such entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// What was asked for.
    pub key: String,
    /// Keys that may have been meant.
    pub meant: Vec<String>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no paper has an entry `{}`", self.key)?;
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
    let (papers, number) = match key.split_once([':', ' ', '/']) {
        Some((paper, number)) if !of_paper(paper).is_empty() => (of_paper(paper), plain(number)),
        _ => (Paper::ALL.to_vec(), plain(key)),
    };
    let same = |entry: &&Entry| papers.contains(&entry.paper) && entry.number.eq_ignore_ascii_case(&number);
    let found: Vec<&'static Entry> = all().iter().filter(same).collect();
    match found[..] {
        [one] => Ok(one),
        _ => Err(NotFound { key: key.into(), meant: meant(key, &papers, &number, &found) }),
    }
}

/// What may have been meant: the same number in several papers, numbers that begin so, or a slip of the hand.
fn meant(key: &str, papers: &[Paper], number: &str, found: &[&Entry]) -> Vec<String> {
    const MOST: usize = 6;
    if !found.is_empty() {
        return found.iter().take(MOST).map(|entry| entry.key()).collect();
    }
    let of_these = || all().iter().filter(|entry| papers.contains(&entry.paper));
    let begins = |entry: &&Entry| !number.is_empty() && entry.number.to_lowercase().starts_with(number);
    let longer: Vec<String> = of_these().filter(begins).take(MOST).map(Entry::key).collect();
    if !longer.is_empty() {
        return longer;
    }
    let keys: Vec<String> = all().iter().map(Entry::key).collect();
    let names = || of_these().map(|entry| entry.number);
    let near = closest(key, keys.iter().map(String::as_str)).map(str::to_string);
    let near = near.or_else(|| {
        let name = closest(number, names())?;
        of_these().find(|entry| entry.number == name).map(Entry::key)
    });
    near.into_iter().collect()
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
        assert_eq!(meant("2006:5"), ["2006:5.1", "2006:5.2", "2006:5.3", "2006:5.4", "2006:5.5", "2006:5.6"]);
        assert_eq!(meant("2006:corolary-3.2"), ["2006:corollary-3.2"]);
        assert!(meant("nothing").is_empty() && meant("").is_empty());
        assert!(find("2006:5.57").unwrap_err().to_string().starts_with("no paper has an entry `2006:5.57`"));
    }
}
