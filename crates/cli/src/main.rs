//! The command `holonom`: what it can do, and where each command lives.

mod output;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Equations of motion for constrained mechanical systems.
///
/// Redundant constraints, singular mass matrices and constraints that do work are all welcome.
#[derive(Parser)]
#[command(name = "holonom", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Options),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Solve(options) => solve::run(&options),
    }
}
