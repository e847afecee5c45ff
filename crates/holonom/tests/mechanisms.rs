//! Bodies and joints: known motions, and one meaning in both formulations.

mod mechanisms {
    mod assembled;
    mod known;
    mod placed;
    mod starts;
    mod switched;
    mod twice;
}
