//! The statements that exist, each with the function that reads it, and what people write instead.

use super::cursor::{Parsed, Parser};
use crate::source::Span;
use crate::syntax::StatementKind;

/// Reads what follows a keyword; one line may hold several statements of a kind that takes a single item.
pub(super) type Read = fn(&mut Parser, &mut Vec<(StatementKind, Span)>) -> Parsed<()>;

const KEYWORDS: [(&str, Read); 36] = [
    ("title", |p, out| p.title(out)),
    ("param", |p, out| p.param(out)),
    ("coord", |p, out| p.coord(out)),
    ("let", |p, out| p.definition_of_let(out)),
    ("table", |p, out| p.table(out)),
    ("function", |p, out| p.function(out)),
    ("kinetic", |p, out| p.kinetic(out)),
    ("potential", |p, out| p.potential(out)),
    ("lagrangian", |p, out| p.lagrangian(out)),
    ("dissipation", |p, out| p.dissipation(out)),
    ("gravity", |p, out| p.gravity(out)),
    ("particle", |p, out| p.particle(out)),
    ("body", |p, out| p.body(out)),
    ("frame", |p, out| p.frame(out)),
    ("joint", |p, out| p.joint(out)),
    ("drive", |p, out| p.drive(out)),
    ("spring", |p, out| p.spring(out)),
    ("damper", |p, out| p.damper(out)),
    ("torque", |p, out| p.torque(out)),
    ("formulation", |p, out| p.formulation(out)),
    ("mass", |p, out| p.mass(out)),
    ("force", |p, out| p.force(out)),
    ("constraint", |p, out| p.constraint(out)),
    ("stop", |p, out| p.stop(out)),
    ("connect", |p, out| p.connect(out)),
    ("nonideal", |p, out| p.nonideal(out)),
    ("friction", |p, out| p.friction(out)),
    ("hidden", |p, out| p.hidden(out)),
    ("free", |p, out| p.free(out)),
    ("start", |p, out| p.start(out)),
    ("assemble", |p, out| p.assemble(out)),
    ("run", |p, out| p.run(out)),
    ("output", |p, out| p.output(out)),
    ("event", |p, out| p.event(out)),
    ("expect", |p, out| p.expect_claims(out)),
    ("draw", |p, out| p.draw(out)),
];

/// What people write, and what to write here.
#[rustfmt::skip]
const SAID: [(&str, &str); 60] = [
    ("parameter", "param"), ("parameters", "param"), ("const", "param"), ("constant", "param"), ("constants", "param"),
    ("coordinate", "coord"), ("coordinates", "coord"), ("var", "coord"), ("variable", "coord"), ("variables", "coord"),
    ("dof", "coord"), ("define", "let"), ("where", "let"), ("data", "table"),
    ("spline", "table"), ("energy", "kinetic"), ("lagrange", "lagrangian"), ("rayleigh", "dissipation"),
    ("point", "particle"), ("pointmass", "particle"),
    ("rigid", "body"), ("rigidbody", "body"), ("rigid_body", "body"), ("link", "body"), ("bodies", "body"),
    ("joints", "joint"), ("marker", "frame"), ("drives", "drive"), ("motor", "drive"),
    ("springs", "spring"), ("elastic", "spring"), ("dampers", "damper"), ("damping", "damper"), ("dashpot", "damper"),
    ("moment", "torque"), ("couple", "torque"), ("torques", "torque"), ("formalism", "formulation"),
    ("forces", "force"), ("constrain", "constraint"), ("subject", "constraint"), ("glue", "connect"), ("init", "start"), ("initial", "start"), ("ic", "start"),
    ("simulate", "run"), ("integrate", "run"), ("time", "run"), ("print", "output"), ("plot", "output"),
    ("record", "output"), ("when", "event"), ("assert", "expect"), ("check", "expect"), ("include", "part"),
    ("name", "title"), ("limit", "stop"), ("limits", "stop"), ("inequality", "constraint"), ("unilateral", "constraint"),
];

/// What to do instead of what other languages have a word for and this one has not.
const ELSEWHERE: [(&[&str], &str); 3] = [
    (&["def", "fn", "func", "lambda"], "a function of your own is a definition with arguments: `let f(x) = x^2`"),
    (
        &["equation", "equations", "eq", "eqs", "ode", "eom", "model", "der"],
        "equations of motion follow from `kinetic`, `potential` and `force`; a further equation is a constraint: `constraint c: x = 2*y`",
    ),
    (
        &["for", "while", "loop", "if", "end", "return", "class", "struct"],
        "nothing here is executed: families say a thing many times, `coord x[1..5]`, `force x[i in 1..5]: -x[i]`, and `if(c, a, b)` is a value",
    ),
];

/// What to do instead of a statement that other languages have.
pub(super) fn elsewhere(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    ELSEWHERE.iter().find(|(words, _)| words.contains(&lower.as_str())).map(|(_, help)| *help)
}

/// Things that other tools have statements for, and what they are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Joint,
    Contact,
}

const ELEMENTS: [(Element, &[&str]); 2] = [
    (
        Element::Joint,
        &[
            "hinge",
            "revolute",
            "slider",
            "prismatic",
            "cylindrical",
            "ball",
            "spherical",
            "universal",
            "planar",
            "fixed",
            "weld",
            "screw",
            "gear",
            "rack",
            "guide",
            "rolling",
        ],
    ),
    (Element::Contact, &["floor", "ground", "wall", "ceiling", "table_top", "contact"]),
];

/// What an element of other tools is.
pub(super) fn element(word: &str) -> Option<Element> {
    let lower = word.to_lowercase();
    ELEMENTS.iter().find(|(_, words)| words.contains(&lower.as_str())).map(|(element, _)| *element)
}

/// Whether `word` begins a statement.
pub(crate) fn is_keyword(word: &str) -> bool {
    word == "part" || reader(word).is_some()
}

/// All words that begin a statement.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(keyword, _)| *keyword).chain(["part"])
}

/// What reads the statement that begins with `word`.
pub(super) fn reader(word: &str) -> Option<Read> {
    KEYWORDS.iter().find(|(keyword, _)| *keyword == word).map(|(_, read)| *read)
}

/// The keyword for another word of the same meaning.
pub(super) fn said(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    SAID.iter().find(|(said, _)| *said == lower).map(|(_, keyword)| *keyword)
}
