//! What is asked of a run besides its model: the same words for `run` and for `sweep`.

use holonom::{Run, language};

use crate::setting::{Setting, Time, Tolerance};

// No documentation comment here: it would become the text of the command that these options are part of.
#[derive(clap::Args)]
pub struct Asked {
    /// Set a parameter: `--set m=3`, `--set "alpha=30 deg"`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,

    /// The time at which the run ends
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<Time>,

    /// Record only at multiples of this time
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    every: Option<Time>,

    /// The method of integration
    #[arg(long, value_enum, value_name = "METHOD")]
    method: Option<Method>,

    /// Relative tolerance of a step
    #[arg(long, value_name = "NUMBER")]
    rtol: Option<Tolerance>,

    /// Absolute tolerance of a step
    #[arg(long, value_name = "NUMBER")]
    atol: Option<Tolerance>,

    /// How to keep the motion on the constraints
    #[arg(long, value_enum, value_name = "WAY")]
    drift: Option<Drift>,

    /// Change given start values as little as possible so that the constraints hold
    #[arg(long)]
    assemble: bool,

    /// Stop after this many steps
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: Option<u64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Method {
    /// Explicit, of order 8
    Explicit,
    /// Implicit, for stiff systems
    Stiff,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Drift {
    /// Project positions and velocities onto the constraints after every step
    Projection,
    /// Add Baumgarte's terms, which pull towards the constraints
    Baumgarte,
    /// Do nothing: constraints drift
    None,
}

impl Asked {
    /// The same for the library.
    pub fn options(&self) -> Run {
        Run {
            until: self.until.map(|time| time.0),
            every: self.every.map(|time| time.0),
            method: self.method.map(|method| match method {
                Method::Explicit => language::Method::Explicit,
                Method::Stiff => language::Method::Stiff,
            }),
            rtol: self.rtol.map(|tolerance| tolerance.0),
            atol: self.atol.map(|tolerance| tolerance.0),
            drift: self.drift.map(|drift| match drift {
                Drift::Projection => language::Drift::Projection,
                Drift::Baumgarte => language::Drift::Baumgarte,
                Drift::None => language::Drift::None,
            }),
            assemble: self.assemble,
            max_steps: self.max_steps,
            principles: false,
        }
    }
}
