//! Pages: the list of entries, and one entry with what was checked.

use crate::entry::{Entry, Paper};
use crate::outcome::EntryOutcome;
use crate::tex;
use holonom::symbols::page::{Equation, Page, Rich};

/// A colour, or nothing.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn paint(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    fn verdict(self, holds: bool) -> String {
        if holds { self.paint("32", "✓") } else { self.paint("31;1", "✗") }
    }
}

/// The entries with their outcomes, grouped by paper, one line each, and how many hold.
pub fn list(checked: &[(&Entry, EntryOutcome)], colour: bool) -> String {
    let paint = Paint(colour);
    let mut page = String::new();
    for paper in Paper::ALL {
        let mut mine = checked.iter().filter(|(entry, _)| entry.paper == paper).peekable();
        if mine.peek().is_none() {
            continue;
        }
        page += &paint.paint("1", &format!("{}  {}: {}", paper.key(), paper.authors(), paper.title()));
        page.push('\n');
        for (entry, outcome) in mine {
            let verdict = paint.verdict(outcome.holds);
            let note =
                if entry.misprint.is_some() { paint.paint("33", "  (misprint corrected)") } else { String::new() };
            page += &format!("  {verdict} {:<14} {}{note}\n", entry.label(), entry.says);
        }
        page.push('\n');
    }
    page + &summary(checked)
}

/// How many hold, which misprints were corrected, and where notation needs a remark.
pub fn summary(checked: &[(&Entry, EntryOutcome)]) -> String {
    let hold = checked.iter().filter(|(_, outcome)| outcome.holds).count();
    let misprints: Vec<String> =
        checked.iter().filter(|(entry, _)| entry.misprint.is_some()).map(|(entry, _)| entry.key()).collect();
    let corrected = match misprints.len() {
        0 => "no misprint among them".into(),
        1 => format!("1 misprint corrected: {}", misprints[0]),
        count => format!("{count} misprints corrected: {}", misprints.join(", ")),
    };
    let remarks: Vec<String> =
        checked.iter().filter(|(entry, _)| entry.remark.is_some()).map(|(entry, _)| entry.key()).collect();
    let read =
        if remarks.is_empty() { String::new() } else { format!("; remarks on notation: {}", remarks.join(", ")) };
    format!("{hold} of {} hold; {corrected}{read}\n", checked.len())
}

/// Entries as a page: the paper's formulas, ours below them, what was checked, and what is misprinted. More than one
/// have a heading in common.
pub fn sheet(heading: &str, checked: &[(&Entry, EntryOutcome)]) -> Page {
    let mut page = Page::new();
    if checked.len() > 1 {
        page.heading(1, Rich::default().words(heading));
    }
    for (entry, outcome) in checked {
        let Entry { paper, says, kind, .. } = entry;
        page.heading(2, Rich::default().words(&format!("{}  {}, {}", entry.key(), paper.authors(), entry.label())));
        page.text(Rich::default().words(&format!("{}: {says}", kind.word())));
        page.equation(equation(entry.latex).numbered(&entry.number.replace('\'', "′")));
        if !outcome.ours.is_empty() {
            page.text("ours:");
            page.equations(outcome.ours.iter().map(|ours| Equation::new(ours.left.clone(), ours.right.clone())));
        }
        let verdict = if outcome.holds { "✓" } else { "✗" };
        page.text(Rich::default().words(&format!("{verdict} {}", outcome.evidence)));
        if let Some(misprint) = entry.misprint {
            page.text(Rich::default().words(&format!("misprint: {}", misprint.wrong)));
            page.equation(equation(misprint.printed));
            if let Some(found) = &outcome.as_printed {
                page.note(Rich::default().words(&format!("as printed: {found}")));
            }
        }
        if let Some(remark) = entry.remark {
            page.text(Rich::default().words(&format!("notation: {}", remark.note)));
            page.text("printed:");
            page.equation(equation(remark.printed));
        }
    }
    if checked.len() > 1 {
        page.heading(2, "Together");
        page.text(Rich::default().words(summary(checked).trim_end()));
    }
    page
}

/// A formula of the lists as an equation.
fn equation(latex: &str) -> Equation {
    match tex::sides(latex) {
        Some((left, right)) => Equation::new(left, right),
        None => Equation::alone(tex::formula(latex)),
    }
}
