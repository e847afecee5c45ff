//! Formulas in two dimensions, no wider than there is room.
//!
//! Whatever fits stands on one line. Where it does not, sums are broken before a sign, wherever they stand: in a
//! numerator, under a root, in parentheses. Products are broken between factors only when no sum in them can give way.

use super::tile::{Align, Bracket, Tile};
use crate::expr::formula::{Formula, Level, Shape, factors, function_name, scientific, terms};
use crate::expr::unicode::{accented, is_punctuation, lowered, raised, relation, symbol, write as on_one_line};

/// More room than any formula takes.
const ENDLESS: usize = usize::MAX / 2;
/// The least room that a part is squeezed into.
const NARROW: usize = 16;

/// A formula, at most `room` columns wide if that is possible.
pub(super) fn lay(formula: &Formula, room: usize) -> Tile {
    let natural = draw(formula, ENDLESS);
    if natural.width <= room { natural } else { draw(formula, room) }
}

/// A formula on the way down: `room` is either endless or too small for one line.
fn draw(formula: &Formula, room: usize) -> Tile {
    match formula.shape() {
        Shape::Number(digits) => number(digits),
        Shape::Name(name) => Tile::text(symbol(name)),
        Shape::Pi => Tile::text("π"),
        Shape::Words(text) | Shape::Sign(text) => Tile::text(text.clone()),
        Shape::Row(parts) => row(parts, room),
        Shape::Minus(inside) => signed("−", tight(Level::Product, inside, room.saturating_sub(2))),
        Shape::Sum(list) => sum(list, room),
        Shape::Product(list) => product(list, room),
        Shape::Fraction(above, below) => lay(above, room.saturating_sub(2)).over(lay(below, room.saturating_sub(2))),
        Shape::Power(base, exponent) => power(base, exponent, room),
        Shape::Subscript(base, below) => {
            let below = Tile::text(lowered(&on_one_line(below)));
            let mut base = tight(Level::Atom, base, room.saturating_sub(below.width));
            base.base = base.height() - 1;
            Tile::beside([base, below])
        }
        Shape::Accent(accent, base) => {
            let base = tight(Level::Atom, base, room);
            if base.height() == 1 { Tile::text(accented(*accent, &base.rows[0])) } else { base }
        }
        Shape::Call { .. } => call(formula, true, room),
        Shape::Table { name, order, argument } => {
            let name = Tile::text(symbol(name) + &"′".repeat(*order));
            let argument = lay(argument, room.saturating_sub(name.width + 2)).enclosed(Bracket::Round);
            Tile::beside([name, argument])
        }
        Shape::Root(inside) if inside.is_short() => Tile::beside([Tile::text("√"), draw(inside, room)]),
        Shape::Root(inside) => lay(inside, room.saturating_sub(3)).root(),
        Shape::Magnitude(inside) => lay(inside, room.saturating_sub(2)).enclosed(Bracket::Bar),
        Shape::Relation(sign, a, b) => {
            let half = room / 2;
            let sign = Tile::text(format!(" {} ", relation(sign)));
            Tile::beside([tight(Level::Sum, a, half), sign, tight(Level::Sum, b, half)])
        }
        Shape::And(a, b) => {
            Tile::beside([tight(Level::And, a, room / 2), Tile::text(" and "), tight(Level::And, b, room / 2)])
        }
        Shape::Or(a, b) => {
            Tile::beside([tight(Level::Or, a, room / 2), Tile::text(" or "), tight(Level::Or, b, room / 2)])
        }
        Shape::Not(a) => Tile::beside([Tile::text("not "), tight(Level::Atom, a, room.saturating_sub(4))]),
        Shape::Choice { condition, then, otherwise } => {
            let condition = lay(condition, room / 2);
            let rest = room.saturating_sub(condition.width.max(9) + 6).max(NARROW);
            let (then, otherwise) = (lay(then, rest), lay(otherwise, rest));
            let wide = then.width.max(otherwise.width) + 2;
            let first = Tile::beside([then.padded(wide, Align::Left), Tile::text("if "), condition]);
            let second = Tile::beside([otherwise.padded(wide, Align::Left), Tile::text("otherwise")]);
            stack(vec![first, second]).centred().enclosed(Bracket::Brace)
        }
        Shape::Matrix { columns, entries } => matrix(*columns, entries, room),
    }
}

/// Something in a place that needs at least `level`, in parentheses where it is looser.
fn tight(level: Level, formula: &Formula, room: usize) -> Tile {
    if formula.level(false) < level {
        lay(formula, room.saturating_sub(2)).centred_if_broken(formula).enclosed(Bracket::Round)
    } else {
        lay(formula, room)
    }
}

impl Tile {
    /// A sum in several lines stands on its middle when it is a part of something.
    fn centred_if_broken(self, formula: &Formula) -> Self {
        let lines = matches!(formula.shape(), Shape::Sum(_)) && self.base == 0 && self.height() > 1;
        if lines { self.centred() } else { self }
    }
}

/// Lines below each other, an empty one between them where they have fractions; it stands on the first.
pub(super) fn stack(lines: Vec<Tile>) -> Tile {
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

/// Tiles in as many lines as they need: those that begin a line are the ones for which `may` says so.
fn filled(tiles: Vec<(bool, Tile)>, room: usize) -> Tile {
    let mut lines: Vec<Vec<Tile>> = vec![Vec::new()];
    let mut used = 0;
    let mut pieces: Vec<Vec<Tile>> = Vec::new();
    for (may, tile) in tiles {
        match pieces.last_mut() {
            Some(piece) if !may => piece.push(tile),
            _ => pieces.push(vec![tile]),
        }
    }
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
    let lines = lines.into_iter().map(|line| Tile::beside(line).trimmed()).collect();
    stack(lines)
}

impl Tile {
    /// Without the blank before the sign that begins a line.
    fn trimmed(self) -> Self {
        let blank = self.width > 0 && self.rows.iter().all(|row| row.starts_with(' '));
        if !blank {
            return self;
        }
        let rows = self.rows.into_iter().map(|row| row[1..].to_string()).collect();
        Self { rows, width: self.width - 1, base: self.base }
    }
}

/// A sign before something, kept apart from the bar of a fraction.
fn signed(sign: &str, tile: Tile) -> Tile {
    let bar = sign == "−" && tile.rows[tile.base].starts_with('─');
    Tile::beside([Tile::text(if bar { "− " } else { sign }), tile])
}

fn sum(list: &[(bool, Formula)], room: usize) -> Tile {
    let mut tiles = Vec::new();
    for (index, (negative, term)) in terms(list).into_iter().enumerate() {
        let sign = match (index, negative) {
            (0, true) => "−",
            (0, false) => "",
            (_, true) => " − ",
            (_, false) => " + ",
        };
        tiles.push((true, signed(sign, tight(Level::Product, term, room.saturating_sub(2)))));
    }
    filled(tiles, room)
}

/// Things side by side, a blank between them; lines begin with signs.
fn row(parts: &[Formula], room: usize) -> Tile {
    let mut tiles: Vec<(bool, Tile)> = Vec::new();
    for part in parts {
        let sign = match part.shape() {
            Shape::Sign(sign) => Some(sign),
            _ => None,
        };
        let close = sign.is_some_and(|sign| is_punctuation(sign));
        let blank = if tiles.is_empty() || close { "" } else { " " };
        let tile = Tile::beside([Tile::text(blank), lay(part, room.saturating_sub(2))]);
        tiles.push((sign.is_some() && !close, tile));
    }
    filled(tiles, room)
}

fn product(list: &[Formula], room: usize) -> Tile {
    let natural: Vec<Tile> = factors(list).map(|(factor, free)| factor_tile(factor, free, ENDLESS)).collect();
    let wide: usize = natural.iter().map(|tile| tile.width + 1).sum();
    let mut tiles = natural;
    if wide > room.saturating_add(1) {
        // The widest factor has to give way, if it can.
        let widest = (0..list.len()).max_by_key(|&index| tiles[index].width).unwrap_or(0);
        let rest = (room + 1).saturating_sub(wide - tiles[widest].width).max(NARROW.min(room));
        if let Some((factor, free)) = factors(list).nth(widest) {
            tiles[widest] = factor_tile(factor, free, rest);
        }
    }
    let mut spaced: Vec<(bool, Tile)> = Vec::new();
    for (index, tile) in tiles.into_iter().enumerate() {
        if index == 0 {
            spaced.push((true, tile));
            continue;
        }
        let digits = matches!(list[index].shape(), Shape::Number(_));
        spaced.push((true, Tile::beside([Tile::text(if digits { " · " } else { " " }), tile])));
    }
    filled(spaced, room)
}

fn factor_tile(factor: &Formula, free: bool, room: usize) -> Tile {
    match factor.shape() {
        Shape::Call { .. } => call(factor, free, room),
        _ => tight(Level::Power, factor, room),
    }
}

/// A function; `free` says that nothing follows that would be read as part of an argument without parentheses.
fn call(formula: &Formula, free: bool, room: usize) -> Tile {
    let Shape::Call { function, power, arguments } = formula.shape() else { return lay(formula, room) };
    let power = power.as_deref().and_then(raised).unwrap_or_default();
    let name = Tile::text(format!("{}{power}", function_name(function)));
    if let ([only], true) = (&arguments[..], free)
        && only.is_short()
    {
        return Tile::beside([name, Tile::text(" "), lay(only, room)]);
    }
    let rest = room.saturating_sub(name.width + 2).max(NARROW);
    let mut tiles = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let comma = if index + 1 < arguments.len() { "," } else { "" };
        let blank = if index > 0 { " " } else { "" };
        tiles.push((true, Tile::beside([Tile::text(blank), lay(argument, rest), Tile::text(comma)])));
    }
    Tile::beside([name, filled(tiles, rest).enclosed(Bracket::Round)])
}

fn power(base: &Formula, exponent: &Formula, room: usize) -> Tile {
    let small = raised(&on_one_line(exponent));
    let beside = small.as_ref().map_or_else(|| lay(exponent, room / 2).width, |small| small.chars().count());
    let mut base = tight(Level::Atom, base, room.saturating_sub(beside));
    match small {
        // A root's stroke would not reach over the exponent.
        Some(small) => {
            if base.rows[0].contains('_') {
                base = base.enclosed(Bracket::Round);
            }
            base.cornered(&small)
        }
        None => base.raised(lay(exponent, room / 2)),
    }
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

fn matrix(columns: usize, entries: &[Formula], room: usize) -> Tile {
    let gaps = 2 * columns;
    let share = if room == ENDLESS { ENDLESS } else { (room.saturating_sub(gaps + 2) / columns).max(NARROW) };
    let tiles: Vec<Tile> = entries.iter().map(|entry| lay(entry, share)).collect();
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
