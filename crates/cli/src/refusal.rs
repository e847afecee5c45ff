//! What to type where the command line is refused: words of other tools, and options of other commands.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options that people try, and the right one.
const OPTIONS: [(&[&str], &str); 5] = [
    (
        &["--time", "--tend", "--t", "--t-end", "--tmax", "--end", "--duration", "--stop"],
        "a run ends at `--until TIME`",
    ),
    (
        &["--dt", "--step", "--timestep", "--h", "--interval"],
        "steps are chosen by their error; `--every TIME` says how often to record",
    ),
    (&["-o", "--output", "--dir", "--folder"], "files are written to `--out FOLDER`"),
    (&["--param", "-p", "--parameter", "-D"], "a parameter is set by `--set NAME=VALUE`"),
    (&["--tol", "--tolerance", "--eps"], "the tolerances of a step are `--rtol NUMBER` and `--atol NUMBER`"),
];

/// Commands that people try, and the right one.
const COMMANDS: [(&[&str], &str); 4] = [
    (&["simulate", "sim", "integrate", "start", "exec", "execute"], "a model is run by `holonom run MODEL`"),
    (&["plot", "draw", "view", "open"], "a run makes a figure: `holonom run MODEL --plot FILE`"),
    (&["validate", "lint", "verify"], "a model is looked at by `holonom check MODEL`"),
    (&["init", "create"], "a first model is written by `holonom new NAME`"),
];

/// A refusal by the command of `tree`, with what to type in place of what was typed, where that is known.
pub fn explained(mut refused: clap::Error, tree: &Command) -> clap::Error {
    let (kind, tip) = match refused.kind() {
        ErrorKind::UnknownArgument => {
            (ContextKind::InvalidArg, option as fn(&Command, &clap::Error, &str) -> Option<String>)
        }
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, command as _),
        _ => return refused,
    };
    let Some(ContextValue::String(typed)) = refused.get(kind).cloned() else { return refused };
    let tip = tip(tree, &refused, &typed);
    if tip.is_some() || kind == ContextKind::InvalidArg && typed.starts_with('-') {
        // The advice to put `--` before it is for files whose names begin with `-`.
        refused.remove(ContextKind::Suggested);
    }
    if let Some(tip) = tip {
        refused.remove(ContextKind::SuggestedArg);
        refused.remove(ContextKind::SuggestedSubcommand);
        refused.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    refused
}

fn option(tree: &Command, refused: &clap::Error, typed: &str) -> Option<String> {
    let known = OPTIONS.iter().find(|(words, _)| words.contains(&typed)).map(|(_, tip)| (*tip).to_string());
    known.filter(|tip| has_option(tree, refused, tip)).or_else(|| elsewhere(tree, typed))
}

/// Whether the command that was asked for has the option that a tip names.
fn has_option(tree: &Command, refused: &clap::Error, tip: &str) -> bool {
    let named = tip.split('`').nth(1).and_then(|named| named.split(' ').next()).unwrap_or("");
    let asked = commands_asked(refused);
    let Some(command) = tree.get_subcommands().find(|command| asked.as_deref() == Some(command.get_name())) else {
        return false;
    };
    command.get_arguments().any(|argument| argument.get_long().is_some_and(|long| named == format!("--{long}")))
}

/// The command that was asked for, from the usage that a refusal shows.
fn commands_asked(refused: &clap::Error) -> Option<String> {
    let Some(ContextValue::StyledStr(usage)) = refused.get(ContextKind::Usage) else { return None };
    let usage = usage.to_string();
    usage.split_whitespace().skip_while(|word| *word != "Usage:").nth(2).map(str::to_string)
}

/// Which commands have an option that the one asked for has not.
fn elsewhere(tree: &Command, typed: &str) -> Option<String> {
    let long = typed.strip_prefix("--")?;
    let having: Vec<String> = tree
        .get_subcommands()
        .filter(|command| command.get_arguments().any(|argument| argument.get_long() == Some(long)))
        .map(|command| format!("`holonom {}`", command.get_name()))
        .collect();
    (!having.is_empty()).then(|| format!("`{typed}` is an option of {}", having.join(" and ")))
}

fn command(_: &Command, _: &clap::Error, typed: &str) -> Option<String> {
    if typed.ends_with(".holo") || typed.ends_with(".json") {
        return Some(format!("to run this model write `holonom run {typed}`"));
    }
    COMMANDS.iter().find(|(words, _)| words.contains(&typed)).map(|(_, tip)| (*tip).to_string())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    /// What is printed for a command line that is refused.
    fn said(words: &str) -> String {
        let refused = crate::Cli::try_parse_from(words.split(' ')).err();
        refused.map(|refused| super::explained(refused, &crate::Cli::command()).to_string()).unwrap_or_default()
    }

    #[test]
    fn words_of_other_tools_are_translated() {
        for (typed, tip) in [
            ("holonom run p.holo --time 10", "`--until TIME`"),
            ("holonom run p.holo --t 10", "`--until TIME`"),
            ("holonom run p.holo --dt 0.1", "`--every TIME`"),
            ("holonom check p.holo --until 2", "is an option of `holonom"),
            ("holonom p.holo", "`holonom run p.holo`"),
            ("holonom simulate p.holo", "`holonom run MODEL`"),
            ("holonom plot p.holo", "`holonom run MODEL --plot FILE`"),
            ("holonom run p.holo --until -5", "a time must be positive"),
        ] {
            let said = said(typed);
            assert!(said.contains(tip), "{typed}: {said}");
            assert!(!said.contains("use '-- "), "{typed}: {said}");
        }
    }

    /// Every option that a tip names exists.
    #[test]
    fn tips_name_options_that_exist() {
        let tree = crate::Cli::command();
        let has = |long: &str| {
            tree.get_subcommands().any(|command| command.get_arguments().any(|one| one.get_long() == Some(long)))
        };
        for tip in super::OPTIONS.iter().chain(&super::COMMANDS).map(|(_, tip)| tip) {
            for word in tip.split([' ', '`']).filter_map(|word| word.strip_prefix("--")) {
                assert!(has(word), "{tip}");
            }
        }
    }
}
