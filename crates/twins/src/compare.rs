//! What counts as agreement.

use crate::draft::Draft;
use crate::run::{Refusal, Runner, Track};

/// A scenario in several formulations.
pub struct Twins {
    /// The kind it was drawn from.
    pub kind: &'static str,
    /// The formulations; observables correspond.
    pub drafts: Vec<Draft>,
    /// How long to run, unless the motion is chaotic.
    pub horizon: f64,
    /// Relative tolerance of the looser run.
    pub rtol: f64,
    /// Groups of observables that share a size: the index of each observable's group.
    pub groups: Vec<usize>,
    /// Codes one of which every formulation must be refused with; empty for models that must run.
    pub refused_as: &'static [&'static str],
}

/// What is wrong with a scenario.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Two formulations move differently.
    Disagree {
        /// Difference over what is allowed.
        ratio: f64,
        /// Which two, and where.
        what: String,
    },
    /// The tolerance is missed by far: one changes too much when it is tightened, or two are apart that should both be accurate.
    Inaccurate {
        /// Change over what is allowed.
        ratio: f64,
        /// Which.
        what: String,
    },
    /// One takes far more steps than a twin.
    Crawls {
        /// Steps over the fewest.
        ratio: f64,
        /// Which.
        what: String,
    },
    /// One is refused, or its run fails.
    Refused {
        /// Which.
        what: String,
        /// Why, as the library says.
        refusal: Refusal,
    },
}

/// What came of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
    /// The worst difference between formulations over what is allowed.
    pub worst: f64,
    /// How often the horizon was halved because the motion is chaotic.
    pub halved: u32,
    /// How much a small change of forces and start is magnified within the horizon.
    pub growth: f64,
}

/// A change of forces and velocities, to see how the motion answers.
const NUDGE: f64 = 1e-5;
/// A motion that magnifies changes more than this within the horizon is called chaotic, and followed for half the time.
const CHAOTIC: f64 = 300.0;
/// Formulations may differ by this times what each changes between the tolerances.
const SLACK: f64 = 100.0;
/// … and by this part of the tighter tolerance: a motion so smooth that both tolerances lead to the same steps changes by nothing.
const WITHIN: f64 = 0.1;
/// A group of observables that is less than this part of the largest is rounding, and measured by a tenth of that: a body at rest has no energy.
const NOTHING: f64 = 1e-12;
/// Start values are accepted where constraints hold to 1e-12 of their scale, so that formulations may start that far apart; the
/// motion magnifies it. Rounding of the steps is below that.
const FLOOR: f64 = 3e-12;
/// A run is inaccurate if its error is more than this times the tolerance, magnified by the motion: judged by what a tighter
/// tolerance changes, and by how far apart twins are with the tighter one.
const INACCURATE: f64 = 1000.0;
/// What runs say of their rounding counts so many times: it is a part of the size of one coordinate.
const TOLD: f64 = 2.0;
/// A run crawls if it takes this many times the steps of the quickest twin.
const CRAWLS: f64 = 20.0;

fn largest(of: impl Iterator<Item = f64>) -> f64 {
    of.fold(0.0, f64::max)
}

impl Twins {
    /// The largest value of each observable's group in any of these runs.
    fn sizes(&self, tracks: &[&Track]) -> Vec<f64> {
        let of_group = |group: usize| {
            let rows = tracks.iter().flat_map(|track| &track.rows);
            largest(rows.flat_map(|row| {
                let here = row.iter().zip(&self.groups).filter(move |(_, g)| **g == group);
                here.map(|(x, _)| x.abs())
            }))
        };
        let most = largest(self.groups.iter().map(|group| of_group(*group)));
        let size = |group: usize| match of_group(group) {
            rounding if rounding <= NOTHING * most => 0.1 * most,
            size => size,
        };
        self.groups.iter().map(|group| size(*group).max(f64::MIN_POSITIVE)).collect()
    }

    /// How much the motion magnifies a small change, and how often its horizon was halved for that.
    fn settle(&self, runners: &[Result<Runner, Refusal>]) -> (f64, f64, u32) {
        let mut horizon = self.horizon;
        for halved in 0..8 {
            let growth = runners.iter().flatten().find_map(|runner| {
                let plain = runner.run(horizon, 1e-9, 0.0).ok()?;
                let nudged = runner.run(horizon, 1e-9, NUDGE).ok()?;
                let sizes = self.sizes(&[&plain]);
                Some(largest(differences(&plain, &nudged, &sizes).map(|(_, _, d)| d)) / NUDGE)
            });
            match growth {
                // Where nothing runs there is nothing to say: the failures are reported.
                None => return (horizon, 0.0, halved),
                Some(growth) if growth < CHAOTIC => return (horizon, growth, halved),
                Some(_) => horizon /= 2.0,
            }
        }
        (horizon, CHAOTIC, 8)
    }

    /// Runs all formulations with two tolerances and compares them.
    pub fn examine(&self) -> Finding {
        let runners: Vec<Result<Runner, Refusal>> = self.drafts.iter().map(Runner::new).collect();
        if !self.refused_as.is_empty() {
            return self.examine_refusals(&runners);
        }
        let (horizon, growth, halved) = self.settle(&runners);
        let mut finding = Finding { growth, halved, ..Finding::default() };
        let mut moving = Vec::new();
        for (draft, runner) in self.drafts.iter().zip(&runners) {
            let runs = runner.as_ref().map_err(Clone::clone).and_then(|runner| {
                Ok((runner.run(horizon, self.rtol, 0.0)?, runner.run(horizon, self.rtol / 100.0, 0.0)?))
            });
            match runs {
                Ok((loose, tight)) => moving.push((&draft.name, loose, tight)),
                Err(refusal) => finding.faults.push(Fault::Refused { what: draft.name.clone(), refusal }),
            }
        }
        let all: Vec<&Track> = moving.iter().flat_map(|(_, loose, tight)| [loose, tight]).collect();
        let sizes = self.sizes(&all);
        let changes: Vec<Vec<f64>> = moving
            .iter()
            .map(|(_, loose, tight)| {
                let mut change = vec![0.0; sizes.len()];
                differences(loose, tight, &sizes).for_each(|(_, o, d)| change[o] = f64::max(change[o], d));
                // Observables of a group have one accuracy: one of them may pass the other solution by chance.
                let worst = |group: usize| {
                    largest(self.groups.iter().zip(&change).filter(|(g, _)| **g == group).map(|(_, c)| *c))
                };
                self.groups.iter().map(|group| worst(*group)).collect()
            })
            .collect();
        self.look_at_each(&moving, &changes, growth, &mut finding);
        for (i, one) in moving.iter().enumerate() {
            for (j, two) in moving.iter().enumerate().skip(i + 1) {
                let mut worst = (0.0, String::new());
                for (which, a, b) in [("loose", &one.1, &two.1), ("tight", &one.2, &two.2)] {
                    for (record, o, d) in differences(a, b, &sizes) {
                        let asked = WITHIN * self.rtol / 100.0 * (1.0 + growth);
                        let changed = SLACK * changes[i][o].max(changes[j][o]);
                        let ratio = d / (changed + asked + FLOOR * (10.0 + growth));
                        if ratio >= worst.0 {
                            let what =
                                format!("`{}` and `{}`, {which}, o{} at record {record}: {d:.2e}", one.0, two.0, o + 1);
                            worst = (ratio, what);
                        }
                    }
                }
                let apart = largest(differences(&one.2, &two.2, &sizes).map(|(_, _, d)| d));
                // Runs that say themselves that they are off are not silently wrong, up to what they say.
                let told = TOLD * one.2.rounding.max(two.2.rounding);
                let ratio = apart / (self.accuracy(self.rtol / 100.0, growth) + told);
                if ratio > 1.0 && !one.2.doubts_itself && !two.2.doubts_itself {
                    // An error that no tolerance reduces changes each run by as much as it sets them apart.
                    let what =
                        format!("`{}` and `{}` are {apart:.2e} apart at rtol {:.0e}", one.0, two.0, self.rtol / 100.0);
                    finding.faults.push(Fault::Inaccurate { ratio, what });
                }
                finding.worst = finding.worst.max(worst.0);
                if worst.0 > 1.0 {
                    finding.faults.push(Fault::Disagree { ratio: worst.0, what: worst.1 });
                }
            }
        }
        finding
    }

    fn look_at_each(
        &self,
        moving: &[(&String, Track, Track)],
        changes: &[Vec<f64>],
        growth: f64,
        finding: &mut Finding,
    ) {
        let fewest = moving.iter().map(|(_, loose, _)| loose.steps).min().unwrap_or(0).max(10);
        for ((name, loose, _), change) in moving.iter().zip(changes) {
            let ratio = largest(change.iter().copied()) / self.accuracy(self.rtol, growth);
            if ratio > 1.0 {
                let what =
                    format!("`{name}` changes by {:.2e} between the tolerances", largest(change.iter().copied()));
                finding.faults.push(Fault::Inaccurate { ratio, what });
            }
            let ratio = loose.steps as f64 / fewest as f64;
            if ratio > CRAWLS {
                let what = format!("`{name}` takes {} steps, a twin {fewest}", loose.steps);
                finding.faults.push(Fault::Crawls { ratio, what });
            }
        }
    }

    /// The error that a tolerance lets one expect, generously, over the size of an observable.
    fn accuracy(&self, rtol: f64, growth: f64) -> f64 {
        INACCURATE * rtol * (1.0 + growth) + FLOOR * (10.0 + growth)
    }

    /// Models that are wrong must be refused for the reason for which they are wrong.
    fn examine_refusals(&self, runners: &[Result<Runner, Refusal>]) -> Finding {
        let mut finding = Finding::default();
        for (draft, runner) in self.drafts.iter().zip(runners) {
            let code = match runner.as_ref().map_err(Clone::clone).and_then(|r| r.run(self.horizon, self.rtol, 0.0)) {
                Ok(_) => "it runs".to_string(),
                Err(refusal) if self.refused_as.contains(&refusal.code.as_str()) => continue,
                Err(refusal) => format!("{}: {}", refusal.code, refusal.message),
            };
            let what = format!("`{}` is not refused as {}: {code}", draft.name, self.refused_as.join(" or "));
            finding.faults.push(Fault::Disagree { ratio: f64::INFINITY, what });
        }
        finding
    }
}

/// (record, observable, difference over size).
fn differences<'a>(a: &'a Track, b: &'a Track, sizes: &'a [f64]) -> impl Iterator<Item = (usize, usize, f64)> + 'a {
    a.rows.iter().zip(&b.rows).enumerate().flat_map(move |(record, (x, y))| {
        x.iter().zip(y).zip(sizes).enumerate().map(move |(o, ((x, y), size))| (record, o, (x - y).abs() / size))
    })
}
