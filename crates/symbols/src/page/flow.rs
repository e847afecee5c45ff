//! Formulas as pieces of MathML that a browser sets like words: a line may end between any two of them.
//!
//! Browsers do not break MathML. So a formula that is wider than a piece may be is taken apart here: sums before their signs,
//! products before a dot. A wide fraction that is the whole formula keeps its bar, with lines above and below it; inside others, and
//! where these lines would be too many, it is one over its denominator times its numerator in parentheses.

use crate::expr::FastMap;
use crate::expr::formula::{Formula, Level, Shape, function_name, terms};
use crate::expr::mathml::{differentiated, write};
use crate::expr::unicode::{is_punctuation, relation};
use crate::markup::escaped;

/// A fraction has at most so many lines above its bar, and below it.
const LINES: usize = 12;

/// A piece that is never broken.
struct Piece {
    /// What stands in its `math` element.
    inside: String,
    /// How wide it is, in columns of a terminal.
    width: usize,
}

/// Pieces side by side, and what has to be known to put others around them.
pub(super) struct Flow {
    pieces: Vec<Piece>,
}

/// A formula in pieces of at most `limit` columns, where it can be taken apart; `widths` are those of its parts.
pub(super) fn flow(formula: &Formula, limit: usize, widths: &FastMap<usize, usize>) -> Flow {
    Breaker { limit, widths }.whole(formula)
}

impl Flow {
    /// The widest of its pieces.
    pub(super) fn widest(&self) -> usize {
        self.pieces.iter().map(|piece| piece.width).max().unwrap_or(0)
    }

    /// Elements between which a line may end.
    pub(super) fn html(&self) -> String {
        let math = |piece: &Piece| format!("<math displaystyle=\"true\">{}</math>", piece.inside);
        self.pieces.iter().map(math).collect::<Vec<_>>().join("<wbr/>")
    }

    fn one(inside: String, width: usize) -> Self {
        Self { pieces: vec![Piece { inside, width }] }
    }

    /// With something before its first piece that must not stand alone at the end of a line.
    fn after(mut self, mark: &str, width: usize) -> Self {
        if let Some(first) = self.pieces.first_mut() {
            first.inside = format!("<mrow>{mark}{}</mrow>", first.inside);
            first.width += width;
        }
        self
    }

    /// With something behind its last piece that must not begin a line.
    fn before(mut self, mark: &str, width: usize) -> Self {
        if let Some(last) = self.pieces.last_mut() {
            last.inside = format!("<mrow>{}{mark}</mrow>", last.inside);
            last.width += width;
        }
        self
    }

    fn then(mut self, next: Self) -> Self {
        self.pieces.extend(next.pieces);
        self
    }

    /// Followed by a factor: a dot says that it is one, wherever the line ends.
    fn times(self, next: Self) -> Self {
        if self.pieces.is_empty() { next } else { self.then(next.after(&infix("·", false), 3)) }
    }

    /// Between brackets, as tall as the tallest piece.
    fn enclosed(self, left: &str, right: &str) -> Self {
        let size = self.size();
        let open = format!("<mo form=\"prefix\"{size}>{left}</mo>");
        let close = format!("<mo form=\"postfix\"{size}>{right}</mo>");
        self.after(&open, 1).before(&close, 1)
    }

    /// In parentheses that have an exponent.
    fn raised(self, exponent: &Formula) -> Self {
        let size = self.size();
        let (open, exponent) = (format!("<mo form=\"prefix\"{size}>(</mo>"), write(exponent));
        let close = format!("<msup><mo form=\"postfix\"{size}>)</mo>{exponent}</msup>");
        self.after(&open, 1).before(&close, 3)
    }

    /// The size of brackets around it: those of fractions are larger, all others as tall as letters.
    fn size(&self) -> &'static str {
        let tall = |piece: &Piece| ["<mfrac>", "<mtable", "<msqrt>"].iter().any(|tall| piece.inside.contains(tall));
        if self.pieces.iter().any(tall) { " minsize=\"1.8em\"" } else { " stretchy=\"false\"" }
    }
}

struct Breaker<'a> {
    limit: usize,
    widths: &'a FastMap<usize, usize>,
}

impl Breaker<'_> {
    fn width(&self, formula: &Formula) -> usize {
        self.widths.get(&formula.address()).copied().unwrap_or(1)
    }

    fn fits(&self, formula: &Formula) -> bool {
        self.width(formula) <= self.limit
    }

    /// A right side: if it is a wide fraction, with its bar.
    fn whole(&self, formula: &Formula) -> Flow {
        match formula.shape() {
            Shape::Fraction(above, below) if !self.fits(formula) => self.barred(above, below),
            Shape::Minus(inside) if !self.fits(inside) && matches!(inside.shape(), Shape::Fraction(..)) => {
                self.whole(inside).after(&infix("−", true), 1)
            }
            _ => self.flow(formula),
        }
    }

    /// A fraction with lines above and below its bar, if these are not too many.
    fn barred(&self, above: &Formula, below: &Formula) -> Flow {
        let (upper, lower) = (self.lines(above), self.lines(below));
        if upper.len().max(lower.len()) > LINES {
            return self.fraction(above, below);
        }
        let width = upper.iter().chain(&lower).map(|line| line.width).max().unwrap_or(0);
        Flow::one(format!("<mfrac>{}{}</mfrac>", stacked(&upper), stacked(&lower)), width)
    }

    fn flow(&self, formula: &Formula) -> Flow {
        if self.fits(formula) {
            return Flow::one(write(formula), self.width(formula));
        }
        match formula.shape() {
            Shape::Sum(list) => self.sum(list),
            Shape::Minus(inside) => self.tight(Level::Product, inside).after(&infix("−", true), 1),
            Shape::Product(list) => self.product(list),
            Shape::Fraction(above, below) => self.fraction(above, below),
            Shape::Power(base, exponent) => self.flow(base).raised(exponent),
            Shape::Root(inside) => self.flow(inside).enclosed("(", ")").after("<mo form=\"prefix\">√</mo>", 1),
            Shape::Magnitude(inside) => self.flow(inside).enclosed("|", "|"),
            Shape::Call { function, power, arguments } => {
                let mut name = format!("<mi>{}</mi>", escaped(function_name(function)));
                if let Some(power) = power {
                    name = format!("<msup>{name}<mn>{power}</mn></msup>");
                }
                let inside = self.list(arguments);
                inside.enclosed("(", ")").after(&format!("{name}<mo>&#x2061;</mo>"), function.len() + 1)
            }
            Shape::Applied { name, derivative, arguments } => {
                let head = format!("{}<mo>&#x2061;</mo>", differentiated(name, derivative));
                self.list(arguments).enclosed("(", ")").after(&head, name.len() + derivative.width())
            }
            Shape::Relation(sign, a, b) => self.pair(Level::Sum, a, relation(sign), b),
            Shape::And(a, b) => self.pair(Level::And, a, "∧", b),
            Shape::Or(a, b) => self.pair(Level::Or, a, "∨", b),
            Shape::Not(a) => self.tight(Level::Atom, a).after("<mo form=\"prefix\">¬</mo>", 1),
            Shape::Choice { condition, then, otherwise } => {
                let words = |words: &str| format!("<mtext>{words}</mtext>");
                let first = self.flow(then).before("<mo>,</mo>", 1);
                let condition = self.flow(condition).after(&words("&#xa0;if&#xa0;"), 4).before("<mo>,</mo>", 1);
                let second = self.flow(otherwise).after(&words("&#xa0;or&#xa0;else&#xa0;"), 9);
                first.then(condition).then(second).enclosed("{", "}")
            }
            Shape::Row(parts) => self.row(parts),
            // A matrix is written by its entries, see `Equation::entries`; the others are never wide.
            _ => Flow::one(write(formula), self.width(formula)),
        }
    }

    /// Something in a place that needs at least `level`, in parentheses where it is looser.
    fn tight(&self, level: Level, formula: &Formula) -> Flow {
        let inside = self.flow(formula);
        // A fraction on the line is a product.
        let flat = !self.fits(formula) && matches!(formula.shape(), Shape::Fraction(..));
        if formula.level(flat) < level { inside.enclosed("(", ")") } else { inside }
    }

    fn pair(&self, level: Level, a: &Formula, sign: &str, b: &Formula) -> Flow {
        self.tight(level, a).then(self.tight(level, b).after(&infix(sign, false), 3))
    }

    fn sum(&self, list: &[(bool, Formula)]) -> Flow {
        let mut all = Flow { pieces: Vec::new() };
        for (index, (negative, term)) in terms(list).into_iter().enumerate() {
            let term = self.tight(Level::Product, term);
            all = all.then(match (index, negative) {
                (0, false) => term,
                (0, true) => term.after(&infix("−", true), 1),
                (_, true) => term.after(&infix("−", false), 3),
                (_, false) => term.after(&infix("+", false), 3),
            });
        }
        all
    }

    /// Narrow factors side by side as long as they fit; a wide one begins with those before it, if they are few.
    fn product(&self, list: &[Formula]) -> Flow {
        let mut all = Flow { pieces: Vec::new() };
        let mut group: Vec<Formula> = Vec::new();
        for factor in list {
            let taken: usize = group.iter().map(|factor| self.width(factor) + 1).sum();
            if self.fits(factor) {
                if taken + self.width(factor) > self.limit {
                    all = all.times(side_by_side(&mut group, taken));
                }
                group.push(factor.clone());
                continue;
            }
            let wide = self.tight(Level::Power, factor);
            let room = wide.pieces.first().is_some_and(|first| first.width + taken <= self.limit);
            if group.is_empty() {
                all = all.times(wide);
            } else if room {
                // A function would seem to be one of what is in the parentheses.
                let dot = matches!(group.last().map(Formula::shape), Some(Shape::Call { .. }));
                let dot = if dot { infix("·", false) } else { "<mo>&#x2062;</mo>".to_string() };
                let group = side_by_side(&mut group, taken);
                let before: String = group.pieces.iter().map(|piece| &piece.inside[..]).collect();
                all = all.times(wide.after(&(before + &dot), taken));
            } else {
                all = all.times(side_by_side(&mut group, taken)).times(wide);
            }
        }
        if !group.is_empty() {
            let width = group.iter().map(|factor| self.width(factor) + 1).sum();
            all = all.times(side_by_side(&mut group, width));
        }
        all
    }

    fn fraction(&self, above: &Formula, below: &Formula) -> Flow {
        if !self.fits(below) {
            let below = self.tight(Level::Atom, below).after("<mo form=\"infix\">/</mo>", 1);
            return self.tight(Level::Power, above).then(below);
        }
        let one = Formula::new(Shape::Fraction(Formula::integer(1), below.clone()));
        Flow::one(write(&one), self.width(below)).times(self.tight(Level::Product, above))
    }

    /// The pieces of a formula, put into as few lines as have room for them.
    fn lines(&self, formula: &Formula) -> Vec<Piece> {
        let mut lines: Vec<Piece> = Vec::new();
        for piece in self.flow(formula).pieces {
            match lines.last_mut() {
                Some(line) if line.width + piece.width <= self.limit => {
                    line.inside += &piece.inside;
                    line.width += piece.width;
                }
                _ => lines.push(piece),
            }
        }
        lines
    }

    /// Things with commas between them.
    fn list(&self, list: &[Formula]) -> Flow {
        let mut all = Flow { pieces: Vec::new() };
        for (index, one) in list.iter().enumerate() {
            let one = self.flow(one);
            all = all.then(if index + 1 < list.len() { one.before("<mo>,</mo>", 2) } else { one });
        }
        all
    }

    /// Things side by side; a sign begins a piece, a comma ends one.
    fn row(&self, parts: &[Formula]) -> Flow {
        let mut all = Flow { pieces: Vec::new() };
        let mut signs: Vec<&str> = Vec::new();
        for part in parts {
            match part.shape() {
                Shape::Sign(sign) if is_punctuation(sign) => {
                    all = all.before(&format!("<mo>{}</mo>", escaped(sign)), 2)
                }
                Shape::Sign(sign) => signs.push(sign),
                _ => {
                    let mut next = self.flow(part);
                    for sign in signs.drain(..).rev() {
                        next = next.after(&infix(sign, false), 3);
                    }
                    all = all.then(next);
                }
            }
        }
        for sign in signs {
            all = all.before(&infix(sign, false), 3);
        }
        all
    }
}

/// Lines below each other, as one element.
fn stacked(lines: &[Piece]) -> String {
    if let [line] = lines {
        return format!("<mrow>{}</mrow>", line.inside);
    }
    let rows: String = lines.iter().map(|line| format!("<mtr><mtd>{}</mtd></mtr>", line.inside)).collect();
    format!("<mtable class=\"lines\" displaystyle=\"true\">{rows}</mtable>")
}

/// A product of what was gathered, which is empty afterwards.
fn side_by_side(group: &mut Vec<Formula>, width: usize) -> Flow {
    let mut group = std::mem::take(group);
    let product = if group.len() == 1 { group.remove(0) } else { Formula::new(Shape::Product(group)) };
    let written = write(&product);
    // One factor alone does not know that others are beside it.
    let loose = product.level(false) < Level::Product;
    let flow = Flow::one(written, width);
    if loose { flow.enclosed("(", ")") } else { flow }
}

/// A sign with the room it has between two things, also where it begins a line.
fn infix(sign: &str, first: bool) -> String {
    let form = if first { "prefix" } else { "infix" };
    format!("<mo form=\"{form}\">{}</mo>", escaped(&sign.replace('-', "−")))
}
