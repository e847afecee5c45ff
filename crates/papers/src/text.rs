//! Pages: the list of entries, and one entry with what was checked.

use crate::entry::{Entry, Outcome, Paper};

/// How far apart two sides came out, in words.
pub(crate) fn apart(worst: f64) -> String {
    match worst {
        0.0 => "equal to the last digit".into(),
        _ if worst.is_finite() => format!("equal to {worst:.0e}"),
        _ => "not equal".into(),
    }
}

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
pub fn list(checked: &[(&Entry, Outcome)], colour: bool) -> String {
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

/// How many hold, and which misprints were corrected.
pub fn summary(checked: &[(&Entry, Outcome)]) -> String {
    let hold = checked.iter().filter(|(_, outcome)| outcome.holds).count();
    let misprints: Vec<String> =
        checked.iter().filter(|(entry, _)| entry.misprint.is_some()).map(|(entry, _)| entry.key()).collect();
    let corrected = match misprints.len() {
        0 => "no misprint among them".into(),
        1 => format!("1 misprint corrected: {}", misprints[0]),
        count => format!("{count} misprints corrected: {}", misprints.join(", ")),
    };
    format!("{hold} of {} hold; {corrected}\n", checked.len())
}

/// One entry: the paper's formula, ours beside it, what was checked, and what is misprinted.
pub fn page(entry: &Entry, outcome: &Outcome, colour: bool) -> String {
    let paint = Paint(colour);
    let Entry { paper, says, kind, .. } = entry;
    let mut page = format!(
        "{}\n{}: {}\n\n",
        paint.paint("1", &format!("{}  {}, {}", entry.key(), paper.authors(), entry.label())),
        kind.word(),
        says
    );
    page += &format!("  paper   {}\n", entry.unicode());
    for formula in &outcome.ours {
        page += &format!("  ours    {}\n", formula.unicode);
    }
    page += &format!("\n{} {}\n", paint.verdict(outcome.holds), outcome.evidence);
    if let Some(misprint) = entry.misprint {
        page += &format!(
            "\n{} {}\n  printed {}\n",
            paint.paint("33", "misprint:"),
            misprint.wrong,
            crate::tex::unicode(misprint.printed)
        );
        if let Some(found) = &outcome.as_printed {
            page += &format!("  as printed: {found}\n");
        }
    }
    page
}
