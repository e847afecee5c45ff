//! `holonom show`: a model after each stage.

mod equations;
mod matrices;
mod model;
mod shown;
mod system;
mod tokens;

pub(crate) use shown::{derived, finish, with_numbers};

use std::process::ExitCode;

/// Show a model at each stage of processing
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(clap::Subcommand)]
enum Stage {
    Tokens(tokens::Options),
    Model(model::Options),
    Equations(equations::Options),
    System(system::Options),
    Matrices(matrices::Options),
}

pub fn run(options: &Options) -> ExitCode {
    match &options.stage {
        Stage::Tokens(options) => tokens::run(options),
        Stage::Model(options) => model::run(options),
        Stage::Equations(options) => equations::run(options),
        Stage::System(options) => system::run(options),
        Stage::Matrices(options) => matrices::run(options),
    }
}
