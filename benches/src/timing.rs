//! Interleaved timing: contenders take turns, so that a noisy moment hits all of them.

use std::time::{Duration, Instant};

/// Best time per call in seconds, one for each contender.
///
/// Every round gives each contender a slice of time; the best slice counts, as noise only ever adds.
pub fn best(contenders: &mut [&mut dyn FnMut()], total: Duration) -> Vec<f64> {
    let rounds = 25;
    let slice = total.as_secs_f64() / (rounds * contenders.len()) as f64;
    let calls: Vec<usize> = contenders
        .iter_mut()
        .map(|call| {
            call();
            let start = Instant::now();
            call();
            ((slice / start.elapsed().as_secs_f64().max(1e-9)) as usize).clamp(1, 1_000_000)
        })
        .collect();
    let mut best = vec![f64::INFINITY; contenders.len()];
    for _ in 0..rounds {
        for ((call, calls), best) in contenders.iter_mut().zip(&calls).zip(&mut best) {
            let start = Instant::now();
            for _ in 0..*calls {
                call();
            }
            *best = best.min(start.elapsed().as_secs_f64() / *calls as f64);
        }
    }
    best
}
