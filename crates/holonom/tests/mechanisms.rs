//! Bodies and joints: known motions, and one meaning in both formulations.

mod mechanisms {
    mod assembled;
    mod crossings;
    mod known;
    mod placed;
    mod switched;
    mod twice;
}
