//! Models as text, judged.

use super::{CheckOptions, ExpectationOutcome, Report, check};
use holonom_language::{Diagnostic, from_text};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::derive;

mod dust;
mod expectations;
mod frictions;
mod nearest;
mod papers;
mod sided;
mod starts;
mod verdicts;

/// The system of a text.
pub(super) fn system(text: &str) -> CompiledSystem {
    let loaded = from_text("model.holo", text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    CompiledSystem::new(derive(model).unwrap_or_else(|errors| panic!("{errors:#?}")).value)
}

/// Text → report.
pub(super) fn checked_with(text: &str, options: &CheckOptions) -> (Report, Vec<Diagnostic>) {
    let found = check(&system(text), options);
    (found.value, found.messages)
}

/// Text → report, with parameters set.
pub(super) fn checked_at(text: &str, set: &[(&str, f64)]) -> (Report, Vec<Diagnostic>) {
    let set: Vec<(String, f64)> = set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let found = check(&system(text).with_settings(&set).unwrap(), &CheckOptions::default());
    (found.value, found.messages)
}

pub(super) fn checked(text: &str) -> (Report, Vec<Diagnostic>) {
    checked_with(text, &CheckOptions::default())
}

/// The codes of the messages, errors first.
pub(super) fn codes(text: &str) -> Vec<&'static str> {
    checked(text).1.iter().map(|diagnostic| diagnostic.code).collect()
}

/// A model with nothing to say against it, and whose expectations all hold around the start.
pub(super) fn sound(text: &str, set: &[(&str, f64)]) -> Report {
    let (report, diagnostics) = checked_at(text, set);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{report}");
    for expectation in &report.expectations {
        let good = matches!(
            expectation.outcome,
            ExpectationOutcome::Proved | ExpectationOutcome::Holds(_) | ExpectationOutcome::HoldsAtStart
        );
        assert!(good, "{expectation:?}\n{report}");
    }
    report
}

pub(super) fn acceleration(report: &Report, name: &str) -> f64 {
    report.coordinates.iter().find(|c| c.name == name).and_then(|c| c.acceleration).unwrap_or(f64::NAN)
}

#[track_caller]
pub(super) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{found} is not {expected}");
}
