//! The command `holonom`: the list of its commands, each in a file of its own.

mod asked;
mod chart;
mod check;
mod explain;
mod film;
mod fmt;
mod formulas;
mod gallery;
mod interrupt;
mod messages;
mod new;
mod open;
mod output;
mod papers;
mod plot;
mod progress;
mod refusal;
mod report;
mod run;
mod setting;
mod shell;
mod show;
mod solve;
mod sweep;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Equations of motion for constrained mechanical systems.
///
/// Redundant constraints, singular mass matrices and constraints that do work are supported.
#[derive(Parser)]
#[command(name = "holonom", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::Options),
    Check(check::Options),
    Explain(explain::Options),
    Fmt(fmt::Options),
    Show(show::Options),
    Run(run::Options),
    Sweep(sweep::Options),
    Report(report::Options),
    Solve(solve::Options),
    Gallery(gallery::Options),
    Papers(papers::Options),
    Completions(shell::Completions),
    Man(shell::Man),
}

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(asked) => asked.command,
        Err(refused) if refused.use_stderr() => refusal::explained(refused, &Cli::command()).exit(),
        Err(help) => {
            terminal::say(&help.render().to_string());
            return terminal::ended(ExitCode::SUCCESS);
        }
    };
    terminal::ended(run_command(command))
}

fn run_command(command: Command) -> ExitCode {
    match command {
        Command::New(options) => new::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Fmt(options) => fmt::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Sweep(options) => sweep::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Solve(options) => solve::run(&options),
        Command::Gallery(options) => gallery::run(&options),
        Command::Papers(options) => papers::run(&options),
        Command::Completions(options) => shell::completions(&options, Cli::command()),
        Command::Man(options) => shell::man(&options, Cli::command()),
    }
}
