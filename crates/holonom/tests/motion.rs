//! Motion in time, held against closed forms, invariants and what the pages promise.

mod motion {
    mod bodies;
    mod contacts;
    mod friction;
    mod gallery;
    mod laws;
    mod mechanisms;
    mod pendulum;
    mod running;
    mod table;
}
