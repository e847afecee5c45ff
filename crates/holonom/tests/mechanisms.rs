//! Bodies and joints: known motions, and one meaning in both formulations.

mod mechanisms {
    mod assembled;
    mod crossings;
    mod frames;
    mod known;
    mod moving;
    mod placed;
    mod starts;
    mod switched;
    mod twice;
}
