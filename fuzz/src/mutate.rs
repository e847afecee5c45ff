//! Mutations: what happens to a model on its way through many hands, only worse.

use holonom_random::Random;

/// The numbers of a seed: every run can be repeated from it.
pub fn seeded(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
}

/// A number below `bound`; 0 if there is none.
fn below(random: &mut Random, bound: usize) -> usize {
    if bound == 0 { 0 } else { random.index(bound) }
}

/// Text that stands at the edge of what the language allows.
const SPLICES: &[&str] = &[
    "'",
    "''",
    "'''",
    "^",
    "^-1",
    "^2^3",
    "^(1/3)",
    "^1e9",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "==",
    "/=",
    "~",
    "->",
    "..",
    ".",
    "*",
    "/",
    "+",
    "-",
    "<",
    ">=",
    "#",
    "\"",
    "\n",
    "\n ",
    "\n  ",
    "\t",
    "\r\n",
    " ",
    "0",
    "1",
    "-1",
    "0.5",
    "1e400",
    "1e-400",
    "1e308",
    "99999999999999999999",
    "1..N",
    "1..0",
    "1..1000000000",
    "[i in 1..3]",
    "[i in 1..N where i /= 2]",
    "[1..4]",
    "[0]",
    "[-1]",
    "[N]",
    "[1e9]",
    "x",
    "y'",
    "x''",
    "t",
    "pi",
    "sin(",
    "cos(x)",
    "sqrt(-1)",
    "sqrt(x)",
    "norm(",
    "dot(",
    "cross(",
    "sum(i in 1..3, ",
    "sum(i in 1..100000, i)",
    "if(x < 0, 1, 2)",
    "min(x, 1)",
    "abs(x)",
    "atan2(y, x)",
    "log(0)",
    "1/0",
    "x/x",
    "energy()",
    "multiplier(c)",
    "reaction(c)",
    "ideal(c)",
    " kg",
    " m",
    " m/s^2",
    " deg",
    " %",
    " 1/s",
    " N*m",
    "(x, y)",
    "(1, 2, 3)",
    "[1, 2]",
    "[[1, 0], [0, 1]]",
    " at ",
    " in plane",
    " in space",
    " where ",
    " with ",
    " until ",
    " every ",
    " within 1e-9",
    "constant ",
    "at start ",
    " and ",
    " or ",
    " not ",
    ", off",
    ", restitution = 0.5",
    "<=",
    " catches",
    " lets go",
    ".low",
    " rises",
    " falls",
    "é",
    "θ",
    "₁",
    "²",
    "\u{2032}",
    "−",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "🙂",
];

const STATEMENTS: &[&str] = &[
    "param      N = 3",
    "param      a[i in 1..3] = i",
    "coord      x, y",
    "coord      u[1..3], v[1..3]: m",
    "let        f(a) = a^2",
    "let        w = w",
    "let        w[i in 1..5] = w[i-1] + 1",
    "table      tab = \"a.csv\"",
    "kinetic    m*(x'^2 + y'^2)/2",
    "kinetic    x'^4",
    "kinetic    -x'^2",
    "potential  m*g*y",
    "lagrangian x'^2/2 - x^2/2",
    "dissipation x'^2",
    "gravity    (0, -9.81)",
    "particle   p: 1 at (x, y)",
    "particle   p[i in 1..3]: 1 in plane",
    "mass       [[1, 0], [0, 1]]",
    "force      x: -x",
    "force      [1, 2]",
    "constraint c: x^2 + y^2 = 1",
    "constraint c: x = 0",
    "constraint c2: x = 1",
    "constraint v: x'^2 + y'^2 = 1",
    "constraint a: x'' = sin(t)",
    "constraint a: x''^2 = 1",
    "constraint k: 1 = 1",
    "constraint floor: y >= 0, restitution = 0.5",
    "constraint c: x^2 + y^2 <= 4",
    "constraint s[i in 1..3]: u[i] >= u[i]'",
    "stop       end: x in -1..1, restitution = 0.2",
    "stop       end[i in 1..3]: u[i] - v[i] in 0 m..2 m, off",
    "friction   end.low: coulomb(0.3), slip = y', normal = reaction(end.low)",
    "event      touch: floor catches -> record",
    "event      part: end.high lets go -> set x' = 0",
    "connect    j: arm.x = y",
    "nonideal   c: [1, 2]",
    "nonideal   c on p: -p'",
    "friction   c: coulomb(0.3)",
    "friction   c: law(slip*normal), slip = x', normal = reaction(c)",
    "hidden     find",
    "free       x'' = 1",
    "free       zero",
    "start      x = 1, y = 0",
    "start      x' ~ 1",
    "assemble",
    "run        until 1, every 0.1, method = stiff",
    "output     e: energy()",
    "event      hit: y < 0 -> stop",
    "event      hit: y falls -> set y' = -y', record",
    "expect     x'' = 0",
    "expect     constant energy()",
    "expect     at start x = 1 within 1e-9",
    "draw       line (0, 0) (x, y)",
    "part       arm\n  coord x\n  kinetic x'^2/2",
    "part       arm = \"arm.holo\" with L = 2",
    "body       b: 1",
];

/// A model made from `corpus` by a few mutations.
pub fn mutant(corpus: &[String], random: &mut Random) -> String {
    let mut text = corpus.get(below(random, corpus.len())).cloned().unwrap_or_default();
    for _ in 0..1 + below(random, 4) {
        text = mutate(text, corpus, random);
        if text.len() > 20_000 {
            let cut = boundary(&text, 20_000);
            text.truncate(cut);
        }
    }
    text
}

fn boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(mut text: String, corpus: &[String], random: &mut Random) -> String {
    let place = boundary(&text, below(random, text.len() + 1));
    match below(random, 14) {
        0 | 1 => text.insert_str(place, random.pick(SPLICES)),
        2 | 3 => {
            // A word gives way to another.
            let words = words(&text);
            if let Some(&(start, end)) = words.get(below(random, words.len())) {
                let other = &corpus[below(random, corpus.len())];
                let others = self::words(other);
                let replacement = match others.get(below(random, others.len())) {
                    Some(&(a, b)) if below(random, 3) > 0 => other[a..b].to_string(),
                    _ => random.pick(SPLICES).to_string(),
                };
                text.replace_range(start..end, &replacement);
            }
        }
        4 => {
            // A word goes.
            let words = words(&text);
            if let Some(&(start, end)) = words.get(below(random, words.len())) {
                text.replace_range(start..end, "");
            }
        }
        5 => {
            let end = boundary(&text, place + below(random, 12));
            text.replace_range(place..end.max(place), "");
        }
        6 | 7 => {
            let mut lines: Vec<&str> = text.lines().collect();
            let at = below(random, lines.len() + 1);
            lines.insert(at, random.pick(STATEMENTS));
            text = lines.join("\n") + "\n";
        }
        8 => {
            let mut lines: Vec<&str> = text.lines().collect();
            if !lines.is_empty() {
                lines.remove(below(random, lines.len()));
            }
            text = lines.join("\n") + "\n";
        }
        9 => {
            let mut lines: Vec<&str> = text.lines().collect();
            if !lines.is_empty() {
                let line = lines[below(random, lines.len())];
                lines.insert(below(random, lines.len()), line);
            }
            text = lines.join("\n") + "\n";
        }
        10 => {
            // The first half of one model and the second of another.
            let other = &corpus[below(random, corpus.len())];
            let from = boundary(other, below(random, other.len() + 1));
            text.truncate(place);
            text.push_str(&other[from..]);
        }
        11 => {
            // Brackets, as deep as they go.
            let (open, close) =
                [("(", ")"), ("[", "]"), ("sin(", ")"), ("-", ""), ("not ", ""), ("2^", "")][below(random, 6)];
            let depth = [3, 60, 300, 4000][below(random, 4)];
            text.insert_str(place, &(open.repeat(depth) + "x" + &close.repeat(depth)));
        }
        12 => {
            // A long sum or product.
            let (sign, count) = (["+", "-", "*", "/", ", ", "'"][below(random, 6)], [5, 200, 3000][below(random, 3)]);
            text.insert_str(place, &format!("x{sign}").repeat(count));
        }
        _ => {
            // A byte turns into another.
            let mut bytes = text.into_bytes();
            if !bytes.is_empty() {
                let at = below(random, bytes.len());
                bytes[at] = below(random, 256) as u8;
            }
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    text
}

/// Words, numbers and single marks: the places where they start and end.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let part = c.is_alphanumeric() || c == '_' || c == '.';
        match (part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push((from, at));
                start = None;
            }
            _ => {}
        }
        if !part && !c.is_whitespace() {
            words.push((at, at + c.len_utf8()));
        }
    }
    words.extend(start.map(|from| (from, text.len())));
    words
}
