//! Questions that come up along a motion: what is wrong with a state.

use super::instant::Instant;
use super::{failure, verdict};
use crate::start::finite;
use crate::start::kernel::Kernel;
use crate::start::nonideal::Nonideals;
use crate::start::numbers::{Evaluator, State};
use holonom_language::Diagnostic;
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::contact::Undone;

/// Why contacts leave a state without a motion, by the statements of the model.
pub(crate) fn undone(system: &CompiledSystem, undone: Undone, state: &State) -> Diagnostic {
    failure::failure(&Evaluator::on_the_way(system), &undone.into(), state)
}

/// What is wrong with a state where a motion could not go on, by the statements of the model.
pub(crate) fn explain(system: &CompiledSystem, state: &State) -> Vec<Diagnostic> {
    let mut evaluator = Evaluator::on_the_way(system);
    let nonideals = Nonideals::new(&evaluator);
    let broken = finite::statements(&mut evaluator, state);
    if !broken.is_empty() {
        return broken;
    }
    let mut messages = Vec::new();
    let mut kernel = match Kernel::choose(&evaluator, &nonideals, None) {
        Ok(kernel) => kernel,
        Err(refused) => return vec![failure::refused(&evaluator, &refused)],
    };
    match Instant::at(&evaluator, &nonideals, &mut kernel, state) {
        Ok(instant) => {
            verdict::judge(&evaluator, &instant, &[], &[], &mut messages);
            messages.retain(Diagnostic::is_error);
        }
        Err(why) => messages.push(failure::failure(&evaluator, &why, state)),
    }
    messages
}
