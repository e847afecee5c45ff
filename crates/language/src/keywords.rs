//! The words that begin a statement: one list for the lexer and for the parser.

/// Gives a macro the list: each word, and the method of the parser that reads what follows it.
///
/// `part` is apart, since the parser reads the statements in it.
macro_rules! statements {
    ($table:ident) => {
        $table! {
            "title" => title,
            "param" => param,
            "coord" => coord,
            "let" => definition_of_let,
            "table" => table,
            "function" => function,
            "kinetic" => kinetic,
            "potential" => potential,
            "lagrangian" => lagrangian,
            "dissipation" => dissipation,
            "gravity" => gravity,
            "particle" => particle,
            "body" => body,
            "frame" => frame,
            "joint" => joint,
            "drive" => drive,
            "spring" => spring,
            "damper" => damper,
            "torque" => torque,
            "formulation" => formulation,
            "mass" => mass,
            "force" => force,
            "constraint" => constraint,
            "stop" => stop,
            "connect" => connect,
            "nonideal" => nonideal,
            "friction" => friction,
            "hidden" => hidden,
            "free" => free,
            "start" => start,
            "assemble" => assemble,
            "run" => run,
            "output" => output,
            "event" => event,
            "expect" => expect_claims,
            "draw" => draw,
        }
    };
}
pub(super) use statements;

macro_rules! words {
    ($($word:literal => $read:ident,)*) => {
        &[$($word,)* "part"]
    };
}

/// All words that begin a statement.
pub(super) const KEYWORDS: &[&str] = statements!(words);

/// Whether `word` begins a statement.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}
