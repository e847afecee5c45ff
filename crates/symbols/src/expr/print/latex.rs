//! LaTeX for amsmath, on one line or broken where a line is full.

use super::formula::{
    Accent, Derivative, Formula, Level, Shape, factors, function_name, scientific, slashed, spaced, terms,
};
use super::name::{Name, Stem};
use super::unicode::{is_punctuation, signed};

/// A formula on one line, however long.
pub(crate) fn write(formula: &Formula) -> String {
    fitted(formula, f64::INFINITY)
}

/// A formula in lines of about `room` widths of an M: sums are broken between their terms, wherever they stand. The lines
/// of the outermost sum come one by one, so that they may be aligned, and a page may end between them.
pub(crate) fn lines(formula: &Formula, room: f64) -> Vec<String> {
    match formula.shape() {
        Shape::Sum(sum) if width(formula) > room => sum_lines(sum, room),
        Shape::Minus(inside) => match inside.shape() {
            // The numerator has the terms, and the minus belongs before the line.
            Shape::Fraction(..) | Shape::Product(_) => vec![fitted(formula, room)],
            _ => vec![format!("-{}", tight(Level::Product, inside, room - 1.0))],
        },
        Shape::Row(parts) if width(formula) > room => row_lines(parts, room),
        _ => vec![fitted(formula, room)],
    }
}

/// A formula with the sums in it broken so that it is about `room` wide.
fn fitted(formula: &Formula, room: f64) -> String {
    match formula.shape() {
        Shape::Number(digits) => number(digits),
        Shape::Name(name) => symbol(name),
        Shape::Pi => "\\pi".to_string(),
        Shape::Words(words) if words.chars().all(|c| c.is_ascii_alphanumeric()) => format!("\\mathrm{{{words}}}"),
        Shape::Words(words) => format!("\\text{{{}}}", escaped(words)),
        Shape::Sign(sign) => operator_sign(sign),
        Shape::Row(parts) => {
            let all = rooms(parts, room);
            let mut text = String::new();
            for (part, room) in parts.iter().zip(all) {
                let close = matches!(part.shape(), Shape::Sign(sign) if is_punctuation(sign));
                if !text.is_empty() && !close {
                    text.push(' ');
                }
                text += &fitted(part, room);
            }
            text
        }
        Shape::Minus(inside) => format!("-{}", tight(Level::Product, inside, room - 1.0)),
        Shape::Sum(sum) if room.is_finite() && width(formula) > room => aligned(&sum_lines(sum, room)),
        Shape::Sum(sum) => {
            signed(terms(sum).into_iter().map(|(minus, term)| (minus, tight(Level::Product, term, room))), "-")
        }
        Shape::Product(list) => product(list, room),
        Shape::Fraction(above, below) => {
            format!("\\frac{{{}}}{{{}}}", fitted(above, room - 0.5), fitted(below, room - 0.5))
        }
        Shape::Power(base, exponent) => {
            let base = tight(Level::Atom, base, room - width(exponent));
            match slashed(exponent) {
                Some((minus, above, below)) => format!("{base}^{{{}{above}/{below}}}", if minus { "-" } else { "" }),
                None => format!("{base}^{{{}}}", write(exponent)),
            }
        }
        Shape::Subscript(base, below) => {
            let base = tight(Level::Atom, base, room);
            // What has a subscript in its name already gets another one only as a whole.
            let base = if base.contains('_') { format!("{{{base}}}") } else { base };
            format!("{base}_{{{}}}", write(below))
        }
        Shape::Accent(accent, base) => {
            let command = match accent {
                Accent::Bar => "bar",
                Accent::Hat => "hat",
                Accent::Tilde => "tilde",
                Accent::Dot => "dot",
                Accent::Dots => "ddot",
            };
            format!("\\{command}{{{}}}", fitted(base, room))
        }
        Shape::Call { .. } => call(formula, true, room),
        Shape::Applied { name, derivative, arguments } => {
            let inside: Vec<String> = arguments.iter().map(|argument| fitted(argument, room - 3.0)).collect();
            format!("{}{}", differentiated(name, derivative), parentheses(&inside.join(", ")))
        }
        Shape::Root(inside) => format!("\\sqrt{{{}}}", fitted(inside, room - 1.0)),
        Shape::Magnitude(inside) => {
            let inside = fitted(inside, room - 1.0);
            if is_tall(&inside) { format!("\\left|{inside}\\right|") } else { format!("\\lvert {inside}\\rvert") }
        }
        Shape::Relation(sign, a, b) => {
            let sign = match *sign {
                "<=" => "\\le",
                "/=" => "\\ne",
                other => other,
            };
            format!("{} {sign} {}", tight(Level::Sum, a, room), tight(Level::Sum, b, room))
        }
        Shape::And(a, b) => format!("{} \\land {}", tight(Level::And, a, room), tight(Level::And, b, room)),
        Shape::Or(a, b) => format!("{} \\lor {}", tight(Level::Or, a, room), tight(Level::Or, b, room)),
        Shape::Not(a) => format!("\\lnot {}", tight(Level::Atom, a, room)),
        Shape::Choice { condition, then, otherwise } => {
            let beside = 3.0 + width(condition).max(4.0);
            format!(
                "\\begin{{cases}} {} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}} \\end{{cases}}",
                fitted(then, room - beside),
                write(condition),
                fitted(otherwise, room - beside)
            )
        }
        Shape::Matrix { columns, entries } => {
            let share = if room.is_finite() { column_rooms(*columns, entries, room) } else { vec![room; *columns] };
            let rows: Vec<String> = entries
                .chunks(*columns)
                .map(|row| {
                    let cells: Vec<String> = row.iter().zip(&share).map(|(entry, &room)| cell(entry, room)).collect();
                    cells.join(" & ")
                })
                .collect();
            // Fractions would touch those of the next row.
            let apart = if rows.iter().any(|row| is_tall(row)) { " \\\\[1ex] " } else { " \\\\ " };
            // `bmatrix` takes ten columns; an array takes any number.
            let columns = "c".repeat(*columns);
            format!("\\left[\\begin{{array}}{{{columns}}} {} \\end{{array}}\\right]", rows.join(apart))
        }
    }
}

/// An entry of a matrix, its fractions as large as elsewhere.
fn cell(entry: &Formula, room: f64) -> String {
    let text = fitted(entry, room);
    if text.contains("\\frac") { format!("\\displaystyle {text}") } else { text }
}

/// Something in a place that needs at least `level`, in parentheses where it is looser.
fn tight(level: Level, formula: &Formula, room: f64) -> String {
    if formula.level(false) < level { parentheses(&fitted(formula, room - 1.0)) } else { fitted(formula, room) }
}

/// Parentheses, as tall as what is in them.
fn parentheses(inside: &str) -> String {
    if is_tall(inside) { format!("\\left({inside}\\right)") } else { format!("({inside})") }
}

fn is_tall(text: &str) -> bool {
    ["\\frac", "\\begin", "\\sqrt", "\\left"].iter().any(|tall| text.contains(tall))
}

fn aligned(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("&{line}")).collect();
    format!("\\begin{{aligned}} {} \\end{{aligned}}", lines.join(" \\\\ "))
}

/// A sum in lines, each but the first begun by its sign.
fn sum_lines(sum: &[(bool, Formula)], room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0.0;
    for (index, (negative, term)) in terms(sum).into_iter().enumerate() {
        let wide = width(term) + 1.8;
        let text = tight(Level::Product, term, room - 1.8);
        let sign = if negative { "-" } else { "+" };
        match lines.last_mut() {
            None => lines.push(if negative { format!("-{text}") } else { text }),
            Some(line) if used + wide <= room => {
                line.push_str(&format!(" {sign} {text}"));
            }
            // An empty group before it makes the sign one between two things.
            Some(_) => lines.push(format!("{{}}{sign} {text}")),
        }
        used = if used + wide <= room && index > 0 { used + wide } else { wide };
    }
    lines
}

/// Things side by side, in lines that begin with a sign.
fn row_lines(parts: &[Formula], room: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0.0;
    for part in parts {
        let wide = width(part) + 0.5;
        let sign = matches!(part.shape(), Shape::Sign(sign) if !is_punctuation(sign));
        let line = lines.last_mut().filter(|line| line.is_empty() || !(sign && used + wide > 0.8 * room));
        let text = fitted(part, room - 1.0);
        match line {
            Some(line) => {
                line.push(' ');
                line.push_str(&text);
                used += wide;
            }
            None => {
                lines.push(format!("{{}}{text}"));
                used = wide;
            }
        }
    }
    lines
}

/// The room of each of several things side by side: the widest gets what the others leave.
fn rooms(parts: &[Formula], room: f64) -> Vec<f64> {
    if room.is_infinite() {
        return vec![room; parts.len()];
    }
    let widths: Vec<f64> = parts.iter().map(|part| width(part) + 0.3).collect();
    let all: f64 = widths.iter().sum();
    if all <= room {
        return vec![f64::INFINITY; parts.len()];
    }
    let widest = (0..parts.len()).max_by(|&a, &b| widths[a].total_cmp(&widths[b])).unwrap_or(0);
    let rest = (room - all + widths[widest]).max(room / 3.0);
    (0..parts.len()).map(|index| if index == widest { rest } else { room / 2.0 }).collect()
}

/// The room of the columns of a matrix, in proportion to what they need.
fn column_rooms(columns: usize, entries: &[Formula], room: f64) -> Vec<f64> {
    let needed: Vec<f64> = (0..columns)
        .map(|column| entries.iter().skip(column).step_by(columns).map(width).fold(0.0, f64::max) + 1.0)
        .collect();
    let all: f64 = needed.iter().sum();
    if all <= room { vec![f64::INFINITY; columns] } else { needed.iter().map(|need| need * room / all).collect() }
}

/// A blank between factors, and a dot where digits would run together.
fn product(list: &[Formula], room: f64) -> String {
    let mut text = String::new();
    for (index, ((factor, free), room)) in factors(list).zip(rooms(list, room)).enumerate() {
        let written = match factor.shape() {
            Shape::Call { .. } => call(factor, free, room),
            _ => tight(Level::Power, factor, room),
        };
        if index > 0 {
            let digits = written.starts_with(|c: char| c.is_ascii_digit());
            // Functions bring their own air, names of several letters do not.
            let word = |factor: &Formula| spaced(factor) && !matches!(factor.shape(), Shape::Call { .. });
            text += match digits {
                true => " \\cdot ",
                false if word(factor) || word(&list[index - 1]) => " \\, ",
                false => " ",
            };
        }
        text += &written;
    }
    text
}

/// A function; `free` says that nothing follows that would be read as part of an argument without parentheses.
fn call(formula: &Formula, free: bool, room: f64) -> String {
    let Shape::Call { function, power, arguments } = formula.shape() else { return fitted(formula, room) };
    let mut name = operator(function_name(function));
    if let Some(power) = power {
        name += &format!("^{{{power}}}");
    }
    if let ([only], true) = (&arguments[..], free)
        && only.is_short()
    {
        return format!("{name} {}", write(only));
    }
    let arguments: Vec<String> = arguments.iter().map(|argument| fitted(argument, room - 3.0)).collect();
    format!("{name}{}", parentheses(&arguments.join(", ")))
}

/// A function with its derivative: f″, or a fraction of ∂s.
fn differentiated(name: &str, derivative: &Derivative) -> String {
    let name = symbol(name);
    let Some((total, by)) = derivative.partial() else {
        return match derivative.primes() {
            0 => name,
            count => format!("{name}^{{{}}}", "\\prime".repeat(count)),
        };
    };
    let raised = |order: usize| if order == 1 { String::new() } else { format!("^{{{order}}}") };
    let below: Vec<String> =
        by.iter().map(|(by, order)| format!("\\partial {}{}", symbol(by), raised(*order))).collect();
    format!("\\frac{{\\partial{} {name}}}{{{}}}", raised(total), below.join(" \\, "))
}

/// What LaTeX calls a function.
fn operator(name: &str) -> String {
    match name {
        "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "ln" | "min" | "max" | "arcsin" | "arccos"
        | "arctan" => {
            format!("\\{name}")
        }
        _ => format!("\\operatorname{{{name}}}"),
    }
}

/// A sign of Unicode in LaTeX.
fn operator_sign(sign: &str) -> String {
    let command = match sign {
        "≠" => "\\ne",
        "≤" => "\\le",
        "≥" => "\\ge",
        "≈" => "\\approx",
        "≡" => "\\equiv",
        "→" => "\\to",
        "⇒" => "\\Rightarrow",
        "∈" => "\\in",
        "·" => "\\cdot",
        "×" => "\\times",
        "−" => "-",
        "±" => "\\pm",
        "∂" => "\\partial",
        "∞" => "\\infty",
        "…" => "\\ldots",
        "," => ",\\;",
        plain if plain.chars().all(|c| c.is_ascii() && !"\\{}%&#$_~^".contains(c)) => plain,
        other => return format!("\\mathrel{{\\text{{{}}}}}", escaped(other)),
    };
    command.to_string()
}

fn number(digits: &str) -> String {
    match scientific(digits) {
        Some((Some(mantissa), exponent)) => format!("{mantissa} \\cdot 10^{{{exponent}}}"),
        Some((None, exponent)) => format!("10^{{{exponent}}}"),
        None => digits.to_string(),
    }
}

/// A name of the model: `arm.x` is the x of arm, so what stands before a dot becomes a subscript of what follows.
pub(crate) fn symbol(name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let last = parts.len().saturating_sub(1);
    let mut below: Vec<String> = Vec::new();
    let mut letter = String::new();
    for (index, (stem, subscript)) in parts.iter().enumerate() {
        if index == last {
            letter = stem_text(stem);
            if !subscript.is_empty() {
                below.insert(0, word(subscript));
            }
        } else {
            let name = stem_text(stem);
            below.push(if subscript.is_empty() { name } else { format!("{name}{}", word(subscript)) });
        }
    }
    below.extend(subscripts.iter().map(|subscript| word(subscript)));
    let dotted = match primes {
        0 => letter,
        1 => format!("\\dot{{{letter}}}"),
        2 => format!("\\ddot{{{letter}}}"),
        _ => format!("{letter}^{{({primes})}}"),
    };
    if below.is_empty() { dotted } else { format!("{dotted}_{{{}}}", below.join(",")) }
}

fn stem_text(stem: &Stem) -> String {
    match stem {
        Stem::Greek(name, _) => format!("\\{name}"),
        Stem::Word(text) => word(text),
    }
}

/// A single letter or a number as it is, anything longer upright.
fn word(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '+' || c == '-');
    if plain || text.chars().count() == 1 && text.chars().all(|c| c.is_ascii_alphanumeric()) {
        return text.to_string();
    }
    // Letters with accents are for text: in a formula they are an error.
    let command = if text.is_ascii() { "mathrm" } else { "text" };
    format!("\\{command}{{{}}}", escaped(text))
}

/// Text in which no character is a command.
pub(crate) fn escaped(text: &str) -> String {
    let mut all = String::new();
    for c in text.chars() {
        match c {
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => {
                all.push('\\');
                all.push(c);
            }
            '\\' => all += "\\textbackslash{}",
            '~' => all += "\\textasciitilde{}",
            '^' => all += "\\textasciicircum{}",
            '<' => all += "\\textless{}",
            '>' => all += "\\textgreater{}",
            '|' => all += "\\textbar{}",
            '"' => all += "\'\'",
            c if c.is_control() => all.push(' '),
            _ => all.push(c),
        }
    }
    all
}

/// About how wide a formula is in widths of an M, on one line.
pub(crate) fn width(formula: &Formula) -> f64 {
    let list = |formulas: &[Formula]| formulas.iter().map(|formula| width(formula) + 0.3).sum::<f64>();
    let bracketed =
        |level: Level, formula: &Formula| width(formula) + if formula.level(false) < level { 0.8 } else { 0.0 };
    match formula.shape() {
        Shape::Number(digits) => 0.5 * digits.len() as f64,
        Shape::Name(name) => {
            let Name { parts, subscripts, .. } = Name::parse(name);
            let letters = |text: &str| text.chars().count() as f64;
            let small: f64 = subscripts.iter().map(|text| letters(text) + 0.5).sum();
            let last = parts.len().saturating_sub(1);
            let all = parts.iter().enumerate().map(|(index, (stem, subscript))| {
                let size = if index == last { 0.58 } else { 0.4 };
                size * letters(&stem.unicode()) + 0.4 * letters(subscript)
            });
            all.sum::<f64>() + 0.4 * small
        }
        Shape::Pi => 0.6,
        Shape::Words(words) => 0.5 * words.chars().count() as f64,
        Shape::Sign(sign) if is_punctuation(sign) => 0.5,
        Shape::Sign(sign) => 0.6 + 0.5 * sign.chars().count() as f64,
        Shape::Row(parts) => list(parts),
        Shape::Minus(inside) => 0.8 + bracketed(Level::Product, inside),
        Shape::Sum(terms) => terms.iter().map(|(_, term)| bracketed(Level::Product, term) + 1.3).sum(),
        Shape::Product(list) => list.iter().map(|factor| bracketed(Level::Power, factor) + 0.1).sum(),
        Shape::Fraction(above, below) => width(above).max(width(below)) + 0.3,
        Shape::Power(base, exponent) => bracketed(Level::Atom, base) + 0.7 * width(exponent),
        Shape::Subscript(base, below) => bracketed(Level::Atom, base) + 0.7 * width(below),
        Shape::Accent(_, base) => width(base),
        Shape::Call { function, power, arguments } => {
            let power = power.as_ref().map_or(0.0, |power| 0.4 * power.len() as f64);
            0.5 * function.len() as f64 + power + list(arguments) + 0.8
        }
        Shape::Applied { name, derivative, arguments } => {
            0.5 * (name.chars().count() + derivative.width()) as f64 + list(arguments) + 0.8
        }
        Shape::Root(inside) => width(inside) + 0.9,
        Shape::Magnitude(inside) => width(inside) + 0.6,
        Shape::Relation(_, a, b) | Shape::And(a, b) | Shape::Or(a, b) => width(a) + width(b) + 1.8,
        Shape::Not(a) => width(a) + 1.2,
        Shape::Choice { condition, then, otherwise } => {
            width(then).max(width(otherwise)) + width(condition).max(4.0) + 3.0
        }
        Shape::Matrix { columns, entries } => {
            let widest = |column: usize| entries.iter().skip(column).step_by(*columns).map(width).fold(0.0, f64::max);
            (0..*columns).map(|column| widest(column) + 1.0).sum::<f64>() + 1.0
        }
    }
}
