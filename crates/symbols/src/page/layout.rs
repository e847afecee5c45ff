//! Formulas in two dimensions, no wider than there is room.
//!
//! Whatever fits stands on one line. Where it does not, sums are broken before a sign, wherever they stand: in a
//! numerator, under a root, in parentheses. Products are broken between factors only when no sum in them can give way.

use super::tile::{Align, Bracket, Tile};
use crate::expr::FastMap;
use crate::expr::formula::{Derivative, Formula, Level, Shape, factors, function_name, scientific, terms};
use crate::expr::unicode::{accented, is_punctuation, lowered, primes, raised, relation, symbol, write as on_one_line};

/// More room than any formula takes.
const ENDLESS: usize = usize::MAX / 4;
/// The least room that a part is squeezed into.
const NARROW: usize = 16;

/// A formula, at most `room` columns wide if that is possible.
pub(super) fn lay(formula: &Formula, room: usize) -> Tile {
    let mut layout = Layout { natural: FastMap::default() };
    let natural = layout.draw(formula, ENDLESS);
    if natural.width <= room { natural } else { layout.draw(formula, room.min(ENDLESS - 1)) }
}

/// How wide a formula and each of its parts are on one line, by their addresses.
pub(super) fn widths(formula: &Formula) -> FastMap<usize, usize> {
    let mut layout = Layout { natural: FastMap::default() };
    layout.draw(formula, ENDLESS);
    layout.natural
}

/// How wide the parts of a formula are on one line: found out once, so that no nesting makes it slow.
struct Layout {
    natural: FastMap<usize, usize>,
}

/// What is left of the room; of endless room, endless room.
fn less(room: usize, taken: usize) -> usize {
    if room == ENDLESS { ENDLESS } else { room.saturating_sub(taken) }
}

/// Half of the room.
fn half(room: usize) -> usize {
    if room == ENDLESS { ENDLESS } else { room / 2 }
}

impl Layout {
    /// A part, on one line if there is room.
    fn fit(&mut self, formula: &Formula, room: usize) -> Tile {
        let fits = room == ENDLESS || self.natural.get(&formula.address()).is_some_and(|&wide| wide <= room);
        self.draw(formula, if fits { ENDLESS } else { room })
    }

    /// A formula in the room there is: endless, or too little for one line.
    fn draw(&mut self, formula: &Formula, room: usize) -> Tile {
        let tile = self.shape(formula, room);
        if room == ENDLESS {
            self.natural.insert(formula.address(), tile.width);
        }
        tile
    }

    fn shape(&mut self, formula: &Formula, room: usize) -> Tile {
        match formula.shape() {
            Shape::Number(digits) => number(digits),
            Shape::Name(name) => Tile::text(symbol(name)),
            Shape::Pi => Tile::text("π"),
            Shape::Words(text) | Shape::Sign(text) => Tile::text(text.clone()),
            Shape::Row(parts) => self.row(parts, room),
            Shape::Minus(inside) => signed("−", self.tight(Level::Product, inside, less(room, 2))),
            Shape::Sum(list) => self.sum(list, room),
            Shape::Product(list) => self.product(list, room),
            Shape::Fraction(above, below) => {
                let (above, below) = (self.fit(above, less(room, 2)), self.fit(below, less(room, 2)));
                above.over(below)
            }
            Shape::Power(base, exponent) => self.power(base, exponent, room),
            Shape::Subscript(base, below) => {
                let below = Tile::text(lowered(&on_one_line(below)));
                let mut base = self.tight(Level::Atom, base, less(room, below.width));
                base.base = base.height() - 1;
                Tile::beside([base, below])
            }
            Shape::Accent(accent, base) => {
                let base = self.tight(Level::Atom, base, room);
                if base.height() == 1 { Tile::text(accented(*accent, &base.rows[0])) } else { base }
            }
            Shape::Call { .. } => self.call(formula, true, room),
            Shape::Applied { name, derivative, arguments } => {
                let name = differentiated(name, derivative);
                let inside = self.arguments(arguments, less(room, name.width + 2).max(NARROW));
                Tile::beside([name, inside])
            }
            Shape::Root(inside) if inside.is_short() => Tile::beside([Tile::text("√"), self.draw(inside, room)]),
            Shape::Root(inside) => self.fit(inside, less(room, 5)).root(),
            Shape::Magnitude(inside) => self.fit(inside, less(room, 2)).enclosed(Bracket::Bar),
            Shape::Relation(sign, a, b) => self.pair(Level::Sum, a, relation(sign), b, room),
            Shape::And(a, b) => self.pair(Level::And, a, "and", b, room),
            Shape::Or(a, b) => self.pair(Level::Or, a, "or", b, room),
            Shape::Not(a) => {
                let a = self.tight(Level::Atom, a, less(room, 4));
                Tile::beside([Tile::text("not "), a])
            }
            Shape::Choice { condition, then, otherwise } => {
                let condition = self.fit(condition, half(room));
                let rest = less(room, condition.width.max(9) + 6).max(NARROW);
                let (then, otherwise) = (self.fit(then, rest), self.fit(otherwise, rest));
                let wide = then.width.max(otherwise.width) + 2;
                let first = Tile::beside([then.padded(wide, Align::Left), Tile::text("if "), condition]);
                let second = Tile::beside([otherwise.padded(wide, Align::Left), Tile::text("otherwise")]);
                stack(vec![first, second]).centred().enclosed(Bracket::Brace)
            }
            Shape::Matrix { columns, entries } => self.matrix(*columns, entries, room),
        }
    }

    /// Something in a place that needs at least `level`, in parentheses where it is looser.
    fn tight(&mut self, level: Level, formula: &Formula, room: usize) -> Tile {
        if formula.level(false) >= level {
            return self.fit(formula, room);
        }
        let inside = self.fit(formula, less(room, 2));
        // A sum in several lines stands on its middle when it is a part of something.
        let lines = matches!(formula.shape(), Shape::Sum(_)) && inside.base == 0 && inside.height() > 1;
        let inside = if lines { inside.centred() } else { inside };
        inside.enclosed(Bracket::Round)
    }

    fn pair(&mut self, level: Level, a: &Formula, sign: &str, b: &Formula, room: usize) -> Tile {
        let (a, b) = (self.tight(level, a, half(room)), self.tight(level, b, half(room)));
        Tile::beside([a, Tile::text(format!(" {sign} ")), b])
    }

    fn sum(&mut self, list: &[(bool, Formula)], room: usize) -> Tile {
        let mut tiles = Vec::new();
        for (index, (negative, term)) in terms(list).into_iter().enumerate() {
            let sign = match (index, negative) {
                (0, true) => "−",
                (0, false) => "",
                (_, true) => " − ",
                (_, false) => " + ",
            };
            tiles.push((true, signed(sign, self.tight(Level::Product, term, less(room, 2)))));
        }
        filled(tiles, room)
    }

    /// Things side by side, a blank between them; lines begin with signs.
    fn row(&mut self, parts: &[Formula], room: usize) -> Tile {
        let mut tiles: Vec<(bool, Tile)> = Vec::new();
        for part in parts {
            let sign = match part.shape() {
                Shape::Sign(sign) => Some(sign),
                _ => None,
            };
            let close = sign.is_some_and(|sign| is_punctuation(sign));
            let blank = if tiles.is_empty() || close { "" } else { " " };
            let tile = Tile::beside([Tile::text(blank), self.fit(part, less(room, 2))]);
            tiles.push((sign.is_some() && !close, tile));
        }
        filled(tiles, room)
    }

    fn product(&mut self, list: &[Formula], room: usize) -> Tile {
        // The widest factor has to give way, if it can.
        let wide = |factor: &Formula| match self.natural.get(&factor.address()) {
            Some(wide) => wide + if factor.level(false) < Level::Power { 3 } else { 1 },
            None => 0,
        };
        let all: usize = list.iter().map(wide).sum();
        let widest = list.iter().enumerate().max_by_key(|(_, factor)| wide(factor)).map_or(0, |(index, _)| index);
        let rest = less(room, all - list.get(widest).map_or(0, wide)).max(NARROW.min(room));
        let mut tiles: Vec<(bool, Tile)> = Vec::new();
        for (index, (factor, free)) in factors(list).enumerate() {
            let room = if index == widest { rest } else { room };
            let tile = match factor.shape() {
                Shape::Call { .. } => self.call(factor, free, room),
                _ => self.tight(Level::Power, factor, room),
            };
            let digits = matches!(factor.shape(), Shape::Number(_));
            let sign = match index {
                0 => "",
                _ if digits => " · ",
                _ => " ",
            };
            tiles.push((true, Tile::beside([Tile::text(sign), tile])));
        }
        filled(tiles, room)
    }

    /// A function; `free` says that nothing follows that would be read as part of an argument without parentheses.
    fn call(&mut self, formula: &Formula, free: bool, room: usize) -> Tile {
        let Shape::Call { function, power, arguments } = formula.shape() else { return self.fit(formula, room) };
        let power = power.as_deref().and_then(raised).unwrap_or_default();
        let name = Tile::text(format!("{}{power}", function_name(function)));
        let tile = match &arguments[..] {
            [only] if free && only.is_short() => Tile::beside([name, Tile::text(" "), self.fit(only, room)]),
            _ => {
                let inside = self.arguments(arguments, less(room, name.width + 2).max(NARROW));
                Tile::beside([name, inside])
            }
        };
        if room == ENDLESS {
            self.natural.insert(formula.address(), tile.width);
        }
        tile
    }

    /// Arguments in parentheses.
    fn arguments(&mut self, arguments: &[Formula], room: usize) -> Tile {
        let mut tiles = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let comma = if index + 1 < arguments.len() { "," } else { "" };
            let blank = if index > 0 { " " } else { "" };
            tiles.push((true, Tile::beside([Tile::text(blank), self.fit(argument, room), Tile::text(comma)])));
        }
        filled(tiles, room).enclosed(Bracket::Round)
    }

    fn power(&mut self, base: &Formula, exponent: &Formula, room: usize) -> Tile {
        let written = on_one_line(exponent);
        let exponent = match raised(&written) {
            Some(small) => Ok(small),
            // A short exponent is easier to read in one row.
            None if written.chars().count() <= NARROW => Err(Tile::text(written)),
            None => Err(self.fit(exponent, half(room))),
        };
        let beside = exponent.as_ref().map_or_else(|tile| tile.width, |small| small.chars().count());
        let base = self.tight(Level::Atom, base, less(room, beside));
        match exponent {
            // A root's bar would not end before the exponent.
            Ok(small) if base.rows[0].contains('_') => base.enclosed(Bracket::Round).cornered(&small),
            Ok(small) => base.cornered(&small),
            Err(exponent) => base.raised(exponent),
        }
    }

    fn matrix(&mut self, columns: usize, entries: &[Formula], room: usize) -> Tile {
        let share = if room == ENDLESS { ENDLESS } else { (less(room, 2 * columns + 2) / columns).max(NARROW) };
        let tiles: Vec<Tile> = entries.iter().map(|entry| self.fit(entry, share)).collect();
        let widths: Vec<usize> = (0..columns)
            .map(|column| tiles.iter().skip(column).step_by(columns).map(|tile| tile.width).max().unwrap_or(0))
            .collect();
        let mut rows = Vec::new();
        for row in tiles.chunks(columns) {
            let mut cells = vec![Tile::text(" ")];
            for (column, tile) in row.iter().enumerate() {
                cells.push(tile.clone().padded(widths[column], Align::Centre));
                cells.push(Tile::text(if column + 1 < columns { "  " } else { " " }));
            }
            rows.push(Tile::beside(cells));
        }
        stack(rows).centred().enclosed(Bracket::Square)
    }
}

/// A function with its derivative: f″, or a fraction of ∂s.
fn differentiated(name: &str, derivative: &Derivative) -> Tile {
    let name = symbol(name);
    let Some((total, by)) = derivative.partial() else {
        return Tile::text(name + &primes(derivative.primes()));
    };
    let small = |order: usize| if order == 1 { String::new() } else { raised(&order.to_string()).unwrap_or_default() };
    let below: String = by.iter().map(|(by, order)| format!("∂{}{}", symbol(by), small(*order))).collect();
    Tile::text(format!("∂{}{name}", small(total))).over(Tile::text(below))
}

fn number(digits: &str) -> Tile {
    match scientific(digits) {
        Some((mantissa, exponent)) => {
            let power = raised(&exponent.replace('-', "−")).unwrap_or_default();
            let before = mantissa.map_or(String::new(), |mantissa| format!("{mantissa}·"));
            Tile::text(format!("{before}10{power}"))
        }
        None => Tile::text(digits),
    }
}

/// A sign before something, kept apart from the bar of a fraction.
fn signed(sign: &str, tile: Tile) -> Tile {
    let bar = sign == "−" && tile.rows[tile.base].starts_with('─');
    Tile::beside([Tile::text(if bar { "− " } else { sign }), tile])
}

/// Lines below each other, an empty one between them where they have fractions; it stands on the first.
fn stack(lines: Vec<Tile>) -> Tile {
    let tall = lines.iter().any(|line| line.height() > 1);
    let mut all: Vec<Tile> = Vec::new();
    for line in lines {
        if tall && !all.is_empty() {
            all.push(Tile::text(""));
        }
        all.push(line);
    }
    Tile::above(all, Align::Left, 0)
}

/// Tiles in as many lines as they need; a line may begin with those that have true.
fn filled(tiles: Vec<(bool, Tile)>, room: usize) -> Tile {
    let mut pieces: Vec<Vec<Tile>> = Vec::new();
    for (may, tile) in tiles {
        match pieces.last_mut() {
            Some(piece) if !may => piece.push(tile),
            _ => pieces.push(vec![tile]),
        }
    }
    let mut lines: Vec<Vec<Tile>> = vec![Vec::new()];
    let mut used = 0;
    for piece in pieces {
        let wide: usize = piece.iter().map(|tile| tile.width).sum();
        if used > 0 && used + wide > room {
            lines.push(Vec::new());
            used = 0;
        }
        used += wide;
        if let Some(line) = lines.last_mut() {
            line.extend(piece);
        }
    }
    if lines.len() == 1 {
        return Tile::beside(lines.remove(0));
    }
    stack(lines.into_iter().map(|line| Tile::beside(line).trimmed()).collect())
}
