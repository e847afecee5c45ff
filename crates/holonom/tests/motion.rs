//! Motion in time, held against closed forms, invariants and what the pages promise.

mod motion {
    mod bodies;
    mod contacts;
    mod crossings;
    mod damping;
    mod friction;
    mod gallery;
    mod grazes;
    mod impacts;
    mod laws;
    mod mechanisms;
    mod one_sided;
    mod paradox;
    mod pendulum;
    mod principles;
    mod relays;
    mod running;
    mod series;
    mod sticking;
    mod table;
}
