//! Atoms → lines: where a long statement is broken, and how comments behind it are aligned.

/// Lines are broken so as to stay within this many columns, where they can be.
const WIDTH: usize = 100;

/// A break is sought beyond this column before one is taken closer to the margin.
const EARLY: usize = 50;

/// Comments behind longer lines are not aligned with others.
const ALIGNED: usize = 72;

/// A piece of a statement that is not broken.
pub(super) struct Atom {
    pub text: String,
    /// A blank stands before it, unless it begins a line.
    pub blank: bool,
    /// It may begin a line; the smaller the number, the rather.
    pub may_break: Option<u32>,
    /// It is a comment, and the line ends after it.
    pub comment: Option<Comment>,
}

/// How a comment inside a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comment {
    /// Behind other text.
    Behind,
    /// On a line of its own.
    Alone,
}

/// A line of the page, and the comment behind it.
pub(super) struct Line {
    pub text: String,
    pub comment: Option<String>,
}

/// The lines of a statement whose first begins at `indent` and whose others begin at `hang`.
pub(super) fn lines(atoms: &[Atom], indent: usize, hang: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < atoms.len() {
        let margin = if lines.is_empty() { indent } else { hang };
        if atoms[start].comment.is_some() {
            lines.push(Line { text: format!("{:margin$}{}", "", atoms[start].text), comment: None });
            start += 1;
            continue;
        }
        let stop = atoms[start..].iter().position(|atom| atom.comment.is_some()).map_or(atoms.len(), |at| start + at);
        let end = end_of_line(&atoms[start..stop], margin) + start;
        let mut text = format!("{:margin$}{}", "", atoms[start].text);
        for atom in &atoms[start + 1..end] {
            if atom.blank {
                text.push(' ');
            }
            text.push_str(&atom.text);
        }
        text.truncate(text.trim_end().len());
        let mut line = Line { text, comment: None };
        start = end;
        if end == stop
            && let Some(atom) = atoms.get(stop)
            && atom.comment == Some(Comment::Behind)
        {
            line.comment = Some(atom.text.clone());
            start += 1;
        }
        lines.push(line);
    }
    lines
}

/// How many of the atoms the line takes: all, if they fit, else up to the best place for a break.
fn end_of_line(atoms: &[Atom], margin: usize) -> usize {
    let mut column = margin;
    let mut best: Option<(bool, u32, usize)> = None;
    for (which, atom) in atoms.iter().enumerate() {
        if which > 0 {
            if let Some(rank) = atom.may_break {
                let candidate = (column < EARLY, rank, which);
                // The last of the best; but beyond the edge the first that there is.
                if column <= WIDTH && best.is_none_or(|best| (candidate.0, candidate.1) <= (best.0, best.1))
                    || best.is_none()
                {
                    best = Some(candidate);
                }
            }
            column += usize::from(atom.blank);
        }
        column += atom.text.chars().count();
        if column > WIDTH
            && let Some((_, _, end)) = best
        {
            return end;
        }
    }
    atoms.len()
}

/// All lines with their comments, those behind consecutive lines aligned.
pub(super) fn page(lines: &[Line]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < lines.len() {
        let group = lines[at..].iter().take_while(|line| line.comment.is_some()).count().max(1);
        let widths = lines[at..at + group].iter().map(|line| line.text.chars().count());
        let common = widths.filter(|width| *width <= ALIGNED).max().unwrap_or(0);
        for line in &lines[at..at + group] {
            text.push_str(&line.text);
            if let Some(comment) = &line.comment {
                let width = line.text.chars().count();
                text.extend(std::iter::repeat_n(' ', common.saturating_sub(width) + 2));
                text.push_str(comment);
            }
            text.push('\n');
        }
        at += group;
    }
    text
}
