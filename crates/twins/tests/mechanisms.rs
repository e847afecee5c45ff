//! Bodies and joints in both formulations. The long version is a command: `cargo run --release -p holonom-twins -- mechanisms 1000`.

use holonom_twins::mechanism::{Meaning, Mechanism};

fn mean_one_thing(seeds: impl Iterator<Item = u64>, planar: bool) {
    let mut moved = 0;
    for seed in seeds {
        let mechanism = Mechanism::draw(seed, planar);
        match mechanism.means_one_thing() {
            Ok(meaning) => moved += u64::from(meaning == Meaning::Moved),
            Err(what) => panic!("seed {seed}: {what}\n{}", mechanism.text),
        }
    }
    assert!(moved > 20, "{moved} moved");
}

#[test]
fn random_mechanisms_in_space_mean_one_thing() {
    mean_one_thing((0..80).step_by(2), false);
}

#[test]
fn random_mechanisms_in_the_plane_mean_one_thing() {
    mean_one_thing((1..81).step_by(2), true);
}
