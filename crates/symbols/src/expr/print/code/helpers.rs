//! Functions and data that code refers to and the language does not have: the sign, and tables with their splines.

use std::fmt::Write as _;

use super::language::Language;
use crate::expr::graph::Graph;

/// Definitions of what was used.
pub(super) fn helpers(graph: &Graph, language: Language, sign: bool, tables: &[u32]) -> String {
    let mut text = String::new();
    if sign {
        text += match language {
            Language::Rust => RUST_SIGN,
            Language::C => C_SIGN,
            // They have it.
            Language::Python | Language::SymPy | Language::JavaScript => "",
        };
    }
    for &table in tables {
        let curve = &graph.tables()[table as usize];
        let rows: Vec<(f64, f64, f64)> = curve.points().map(|(x, y)| (x, y, curve.value(x, 2))).collect();
        let (open, close) = match language {
            Language::Rust | Language::JavaScript => ('[', ']'),
            Language::C => ('{', '}'),
            Language::Python | Language::SymPy => ('(', ')'),
        };
        let cells: String =
            rows.iter().map(|(x, y, bend)| format!("    {open}{x:?}, {y:?}, {bend:?}{close},\n")).collect();
        let count = rows.len();
        let _ = match language {
            Language::Rust => writeln!(text, "static TABLE{table}: [[f64; 3]; {count}] = [\n{cells}];\n"),
            Language::C => writeln!(text, "static const double TABLE{table}[{count}][3] = {{\n{cells}}};\n"),
            Language::JavaScript => writeln!(text, "const TABLE{table} = [\n{cells}];\n"),
            Language::Python => writeln!(text, "TABLE{table} = np.array((\n{cells}))\n\n"),
            Language::SymPy => writeln!(text, "TABLE{table} = (\n{cells})\n\n"),
        };
    }
    if !tables.is_empty() {
        text += match language {
            Language::Rust => RUST_SPLINE,
            Language::C => C_SPLINE,
            Language::JavaScript => JAVASCRIPT_SPLINE,
            Language::Python => PYTHON_SPLINE,
            Language::SymPy => SYMPY_SPLINE,
        };
    }
    text
}

const RUST_SIGN: &str = "fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

";

const C_SIGN: &str = "static double sign(double x) {
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

";

const RUST_SPLINE: &str = "/// The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line.
fn spline(x: f64, order: u8, table: &[[f64; 3]]) -> f64 {
    let last = table.len() - 1;
    let piece = table.partition_point(|row| row[0] <= x).clamp(1, last) - 1;
    let ([x0, y0, b0], [x1, y1, b1]) = (table[piece], table[piece + 1]);
    let h = x1 - x0;
    let slope = |s: f64| (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * (1.0 - s) * (1.0 - s)) * b0 + (3.0 * s * s - 1.0) * b1);
    if x < table[0][0] || x > table[last][0] {
        let (end, value, s) = if x < table[0][0] { (x0, y0, 0.0) } else { (x1, y1, 1.0) };
        return match order {
            0 => value + slope(s) * (x - end),
            1 => slope(s),
            _ => 0.0,
        };
    }
    let s = (x - x0) / h;
    let r = 1.0 - s;
    match order {
        0 => r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1),
        1 => slope(s),
        2 => r * b0 + s * b1,
        3 => (b1 - b0) / h,
        _ => 0.0,
    }
}

";

const C_SPLINE: &str =
    "/* The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line. */
static double spline(double x, int order, const double table[][3], int points) {
    int piece = 0;
    int high = points - 1;
    while (high - piece > 1) {
        const int middle = (piece + high) / 2;
        if (table[middle][0] <= x) piece = middle; else high = middle;
    }
    const double x0 = table[piece][0], y0 = table[piece][1], b0 = table[piece][2];
    const double x1 = table[piece + 1][0], y1 = table[piece + 1][1], b1 = table[piece + 1][2];
    const double h = x1 - x0;
    const int before = x < table[0][0], after = x > table[points - 1][0];
    const double s = before ? 0.0 : after ? 1.0 : (x - x0) / h;
    const double r = 1.0 - s;
    const double slope = (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * r * r) * b0 + (3.0 * s * s - 1.0) * b1);
    if (order == 1) return slope;
    if (before || after) return order > 0 ? 0.0 : before ? y0 + slope * (x - x0) : y1 + slope * (x - x1);
    if (order == 0) return r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1);
    return order == 2 ? r * b0 + s * b1 : order == 3 ? (b1 - b0) / h : 0.0;
}

";

const JAVASCRIPT_SPLINE: &str =
    "/** The cubic spline through rows of [x, y, y''], or a derivative; beyond its ends a straight line. */
function spline(x, order, table) {
    let piece = 0;
    let high = table.length - 1;
    while (high - piece > 1) {
        const middle = Math.floor((piece + high) / 2);
        if (table[middle][0] <= x) piece = middle; else high = middle;
    }
    const [x0, y0, b0] = table[piece];
    const [x1, y1, b1] = table[piece + 1];
    const h = x1 - x0;
    const before = x < table[0][0], after = x > table[table.length - 1][0];
    const s = before ? 0 : after ? 1 : (x - x0) / h;
    const r = 1 - s;
    const slope = (y1 - y0) / h + h / 6 * ((1 - 3 * r * r) * b0 + (3 * s * s - 1) * b1);
    if (order === 1) return slope;
    if (before || after) return order > 0 ? 0 : before ? y0 + slope * (x - x0) : y1 + slope * (x - x1);
    if (order === 0) return r * y0 + s * y1 + h * h / 6 * ((r * r * r - r) * b0 + (s * s * s - s) * b1);
    return order === 2 ? r * b0 + s * b1 : order === 3 ? (b1 - b0) / h : 0;
}

";

const PYTHON_SPLINE: &str = "\
def spline(x, order, table):
    \"\"\"The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line.\"\"\"
    xs, ys, bs = table.T
    piece = np.clip(np.searchsorted(xs, x, side=\"right\"), 1, len(xs) - 1) - 1
    x0, y0, b0 = xs[piece], ys[piece], bs[piece]
    x1, y1, b1 = xs[piece + 1], ys[piece + 1], bs[piece + 1]
    h = x1 - x0
    before, after = x < xs[0], x > xs[-1]
    s = np.where(before, 0.0, np.where(after, 1.0, (x - x0) / h))
    r = 1.0 - s
    slope = (y1 - y0) / h + h / 6.0 * ((1.0 - 3.0 * r * r) * b0 + (3.0 * s * s - 1.0) * b1)
    if order == 1:
        return slope
    if order == 0:
        inside = r * y0 + s * y1 + h * h / 6.0 * ((r * r * r - r) * b0 + (s * s * s - s) * b1)
        outside = np.where(before, y0 + slope * (x - x0), y1 + slope * (x - x1))
    else:
        inside = r * b0 + s * b1 if order == 2 else (b1 - b0) / h if order == 3 else 0.0 * h
        outside = 0.0
    return np.where(before | after, outside, inside)


";

const SYMPY_SPLINE: &str = "\
def spline(x, order, table):
    \"\"\"The cubic spline through rows of (x, y, y''), or a derivative; beyond its ends a straight line.\"\"\"
    z = sp.Dummy(\"z\")

    def piece(row, following):
        (x0, y0, b0), (x1, y1, b1) = row, following
        h = x1 - x0
        s = (z - x0) / h
        r = (x1 - z) / h
        return r * y0 + s * y1 + h * h / 6.0 * ((r**3 - r) * b0 + (s**3 - s) * b1)

    def line(curve, at):
        return curve.subs(z, at) + curve.diff(z).subs(z, at) * (z - at)

    curves = [piece(*pair) for pair in zip(table, table[1:])]
    first, last = table[0][0], table[-1][0]
    pieces = [(line(curves[0], first), z < first)]
    pieces += [(curve, z < row[0]) for curve, row in zip(curves[:-1], table[1:])]
    pieces += [(curves[-1], z <= last), (line(curves[-1], last), True)]
    return sp.Piecewise(*((sp.diff(curve, z, order), where) for curve, where in pieces)).subs(z, x)


";
