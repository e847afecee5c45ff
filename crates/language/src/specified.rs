//! Whether a model has numbers: functions that are declared without a value have none.

use super::checked::Model;
use super::diagnostic::Diagnostic;

impl Model {
    /// Why there are no numbers: functions without a value that some expression contains, in one message.
    ///
    /// ```
    /// use holonom_language::from_text;
    ///
    /// let text = "function g(t)\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x = g(t)\n";
    /// let model = from_text("driven.holo", text).model.expect("nothing is wrong with it");
    /// assert_eq!(model.unspecified().map(|error| error.code), Some("function-unspecified"));
    /// ```
    pub fn unspecified(&self) -> Option<Diagnostic> {
        let used: Vec<_> = self.functions.iter().filter(|function| function.used).collect();
        let names: Vec<String> = used.iter().map(|one| format!("`{}`", one.function.name)).collect();
        let what = match &names[..] {
            [] => return None,
            [only] => format!("the function {only} has no value, so there are no numbers"),
            [first @ .., last] => {
                format!("the functions {} and {last} have no value, so there are no numbers", first.join(", "))
            }
        };
        let mut error = Diagnostic::error("function-unspecified", what);
        for one in &used {
            error = error.at(one.span, "declared as a symbol for formulas");
        }
        let first = &used[0].function;
        let arguments: Vec<String> = first.arguments.iter().map(|argument| plain(argument)).collect();
        let name = first.name.rsplit('.').next().unwrap_or(&first.name);
        let mut help = format!("write `let {name}({}) = …` with an expression in its place", arguments.join(", "));
        if arguments.len() == 1 {
            help += &format!(", or `table {name} = \"{name}.csv\"` for measured values");
        }
        Some(error.help(help).help("`holonom explain` and `holonom show equations` need no numbers"))
    }
}

/// A name that an argument of a `let` can have: `x_dot` for `x'`, `p_x` for `p.x`.
fn plain(argument: &str) -> String {
    let word = argument.trim_end_matches('\'').replace(['.', '[', ']', ',', ' '], "_");
    let dots = argument.len() - argument.trim_end_matches('\'').len();
    word.trim_end_matches('_').to_string() + ["", "_dot", "_ddot"][dots.min(2)]
}
