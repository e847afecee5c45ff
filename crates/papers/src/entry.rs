//! What the registry is made of: papers, entries, misprints.

use std::fmt;

use crate::case::Case;
use crate::claim::Claim;
use crate::differentiate::Level;
use crate::ledger::Ledger;
use crate::systems::On;
use holonom::symbols::expr::Formula;

/// One of the five papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paper {
    /// Udwadia & Kalaba 1992, A new perspective on constrained motion.
    Perspective,
    /// Udwadia & Kalaba, An alternate proof, from D'Alembert's principle.
    Proof,
    /// Udwadia 2005, New general principle of mechanics.
    Principle,
    /// Udwadia, Kalaba & Fan 2005, Is analytical dynamics a theoretical or an experimental science?
    Science,
    /// Udwadia & Phohomsiri 2006, singular mass matrices.
    Singular,
}

impl Paper {
    /// All five, in the order of the list.
    pub const ALL: [Paper; 5] = [Paper::Perspective, Paper::Proof, Paper::Principle, Paper::Science, Paper::Singular];

    /// What stands before the colon of a key.
    pub fn key(self) -> &'static str {
        self.about().0[0]
    }

    /// The key, and other words for it.
    pub fn names(self) -> &'static [&'static str] {
        self.about().0
    }

    /// Authors and year.
    pub fn authors(self) -> &'static str {
        self.about().1
    }

    /// The title.
    pub fn title(self) -> &'static str {
        self.about().2
    }

    /// The numbered sections that have entries, with their titles; nothing for papers without numbered sections.
    pub fn sections(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Science => {
                &[("3", "Derivation of the basis equations"), ("4", "An example"), ("5", "Discussion and comments")]
            }
            Self::Singular => &[
                (
                    "2",
                    "Explicit equations of motion for general constrained mechanical systems applicable to systems with \
                     singular mass matrices",
                ),
                ("3", "The necessary and sufficient condition for M̄ to have full rank"),
                ("4", "Equivalence with previous results for symmetric, positive definite mass matrices"),
                ("5", "Examples"),
                ("6", "Conclusions"),
            ],
            _ => &[],
        }
    }

    fn about(self) -> (&'static [&'static str], &'static str, &'static str) {
        match self {
            Self::Perspective => {
                (&["1992", "perspective", "gauss"], "Udwadia & Kalaba 1992", "A new perspective on constrained motion")
            }
            Self::Proof => (
                &["dalembert", "d'alembert", "proof", "alternate", "alternate-proof"],
                "Udwadia & Kalaba",
                "An alternate proof for the equation of motion for constrained mechanical systems",
            ),
            Self::Principle => (
                &["2005p", "principle", "2005-principle", "nonideal"],
                "Udwadia 2005",
                "New general principle of mechanics and its application to general nonideal nonholonomic systems",
            ),
            Self::Science => (
                &["2005s", "science", "2005-science"],
                "Udwadia, Kalaba & Fan 2005",
                "Is analytical dynamics a theoretical or an experimental science?",
            ),
            Self::Singular => (
                &["2006", "singular"],
                "Udwadia & Phohomsiri 2006",
                "Explicit equations of motion for constrained mechanical systems with singular mass matrices and applications to \
                 multi-body dynamics",
            ),
        }
    }
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// It gives something a name.
    Definition,
    /// It says what is given.
    Given,
    /// It holds for every system that fits its hypotheses.
    Law,
    /// A formula of a worked example.
    Example,
}

impl EntryKind {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Given => "given",
            Self::Law => "law",
            Self::Example => "example",
        }
    }
}

/// A place where our copy of a paper says something else than its own derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misprint {
    /// What stands there, in LaTeX.
    pub printed: &'static str,
    /// What is wrong with it, in words.
    pub wrong: &'static str,
}

/// A place where our copy of a paper writes something in another way than the rest of the paper. Nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What stands there, in LaTeX.
    pub printed: &'static str,
    /// How it is to be read, in words.
    pub note: &'static str,
}

/// A numbered result, equation or worked example of a paper.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The paper.
    pub paper: Paper,
    /// The number of the section, where the paper numbers its sections.
    pub section: &'static str,
    /// The number in the paper, or a short name for what has none: `5.39`, `5c'`, `lemma-3.1`.
    pub number: &'static str,
    /// What it is.
    pub kind: EntryKind,
    /// The formula in the notation of this project, in LaTeX; where there is a misprint, corrected.
    pub latex: &'static str,
    /// What it says, in words.
    pub says: &'static str,
    /// What is misprinted, if anything.
    pub misprint: Option<Misprint>,
    /// How the paper's notation is to be read here, where it changes within the paper.
    pub remark: Option<Remark>,
    pub(crate) check: Check,
    pub(crate) as_printed: Option<Check>,
}

/// How an entry is checked.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// On random systems.
    Law(On, fn(&Case, &mut Ledger)),
    /// On random constraints, differentiated.
    Differentiation(Level),
    /// In the models of an example.
    Example(Vec<Claim>),
}

impl Entry {
    /// How it is asked for: `2006:5.39`.
    pub fn key(&self) -> String {
        format!("{}:{}", self.paper.key(), self.number)
    }

    /// The formula as a tree, for every notation.
    pub fn formula(&self) -> Formula {
        crate::tex::formula(self.latex)
    }

    /// The formula on one line.
    pub fn unicode(&self) -> String {
        crate::tex::unicode(self.latex)
    }

    /// The number as the paper writes it, or the name: `(5.39)`, `lemma 3.1`.
    pub fn label(&self) -> String {
        match self.number.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("({})", self.number.replace('\'', "′")),
            false => self.number.replace('-', " "),
        }
    }

    /// Corrects a misprint: what stands in the paper, and what is wrong with it.
    pub(crate) fn misprinted(mut self, printed: &'static str, wrong: &'static str) -> Entry {
        self.misprint = Some(Misprint { printed, wrong });
        self
    }

    /// Another way of writing, which changes nothing: what stands in the paper, and how it is to be read.
    pub(crate) fn remarked(mut self, printed: &'static str, note: &'static str) -> Entry {
        self.remark = Some(Remark { printed, note });
        self
    }

    /// What must fail, so that the misprint is one.
    pub(crate) fn fails(mut self, check: Check) -> Entry {
        self.as_printed = Some(check);
        self
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.key())
    }
}

/// Shorthands for the lists: a paper and one of its sections, or an empty text.
#[derive(Clone, Copy)]
pub(crate) struct List(pub(crate) Paper, pub(crate) &'static str);

impl List {
    fn entry(
        self,
        number: &'static str,
        kind: EntryKind,
        latex: &'static str,
        says: &'static str,
        check: Check,
    ) -> Entry {
        let List(paper, section) = self;
        Entry { paper, section, number, kind, latex, says, misprint: None, remark: None, check, as_printed: None }
    }

    pub(crate) fn law(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        on: On,
        law: fn(&Case, &mut Ledger),
    ) -> Entry {
        self.entry(number, EntryKind::Law, latex, says, Check::Law(on, law))
    }

    pub(crate) fn definition(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        on: On,
        law: fn(&Case, &mut Ledger),
    ) -> Entry {
        self.entry(number, EntryKind::Definition, latex, says, Check::Law(on, law))
    }

    pub(crate) fn given(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        on: On,
        law: fn(&Case, &mut Ledger),
    ) -> Entry {
        self.entry(number, EntryKind::Given, latex, says, Check::Law(on, law))
    }

    pub(crate) fn differentiation(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        level: Level,
    ) -> Entry {
        let kind = if level.is_given() { EntryKind::Given } else { EntryKind::Law };
        self.entry(number, kind, latex, says, Check::Differentiation(level))
    }

    pub(crate) fn example(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        claims: Vec<Claim>,
    ) -> Entry {
        self.entry(number, EntryKind::Example, latex, says, Check::Example(claims))
    }

    /// What an example is given.
    pub(crate) fn data(
        self,
        number: &'static str,
        latex: &'static str,
        says: &'static str,
        claims: Vec<Claim>,
    ) -> Entry {
        self.entry(number, EntryKind::Given, latex, says, Check::Example(claims))
    }
}
