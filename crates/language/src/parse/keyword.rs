//! What people write instead of a keyword.

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
pub(crate) fn elsewhere(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    ELSEWHERE.iter().find(|(words, _)| words.contains(&lower.as_str())).map(|(_, help)| *help)
}

/// Things that other tools have statements for, and what they are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
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
pub(crate) fn element(word: &str) -> Option<Element> {
    let lower = word.to_lowercase();
    ELEMENTS.iter().find(|(_, words)| words.contains(&lower.as_str())).map(|(element, _)| *element)
}

/// The keyword for another word of the same meaning.
pub(crate) fn said(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    SAID.iter().find(|(said, _)| *said == lower).map(|(_, keyword)| *keyword)
}
