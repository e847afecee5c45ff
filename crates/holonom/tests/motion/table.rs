//! The rows that a run records, and that they are the same every time.

use super::running::{run_gallery, with};

/// Without `every` or `at`: 500 equal parts and the ends of steps, each once.
#[test]
fn rows_where_nothing_is_said() {
    let run = run_gallery("pendulum/pendulum", &with(|_| ()), &[]);
    let times = run.column("t");
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "in order, none twice");
    assert_eq!((times[0], *times.last().unwrap()), (0.0, 10.0));
    for i in 0..=500 {
        let wanted = i as f64 * (10.0 / 500.0);
        assert!(times.iter().any(|t| (t - wanted).abs() < 1e-12), "{wanted}");
    }
    let steps = run.outcome.statistics.steps as usize;
    assert!((501 + steps - 2..=501 + steps).contains(&times.len()), "{} {steps}", times.len());
}

#[test]
fn rows_at_equal_times() {
    for (every, rows) in [(0.5, 21), (0.1, 101), (0.01, 1001), (10.0, 2)] {
        let run = run_gallery("pendulum/pendulum", &with(|options| options.every = Some(every)), &[]);
        let times = run.column("t");
        assert_eq!(times.len(), rows, "{every}");
        for (i, t) in times.iter().enumerate() {
            assert!((t - i as f64 * every).abs() < 1e-12, "{t}");
        }
        assert_eq!(*times.last().unwrap(), 10.0);
    }
}

/// Times that are asked for are met to the bit, in order and once, between the start and the end.
#[test]
fn rows_at_certain_times() {
    let text = super::running::gallery_text("pendulum/pendulum");
    let text = text.replace("run        until 10 s", "run        until 10 s, at [7.3 s, 0, 2.1 s, 2.1 s, 10 s, 12 s]");
    let run = super::running::run(&text, &with(|_| ()), &[]);
    assert_eq!(run.column("t"), [0.0, 2.1, 7.3, 10.0]);
    let dense = run_gallery("pendulum/pendulum", &with(|options| options.every = Some(0.1)), &[]);
    let (at, beside) = (run.columns(["bob.x", "bob.y"]), dense.columns(["bob.x", "bob.y"]));
    for (row, other) in [(1, 21), (2, 73), (3, 100)] {
        assert!((at[row][0] - beside[other][0]).abs() < 1e-9 && (at[row][1] - beside[other][1]).abs() < 1e-9);
    }
}

/// What is recorded between steps is on the constraints, and as accurate as the steps.
#[test]
fn rows_between_steps_are_on_the_motion() {
    let fine = run_gallery("pendulum/pendulum", &with(|options| options.rtol = Some(1e-12)), &[]);
    let run = run_gallery("pendulum/pendulum", &with(|_| ()), &[]);
    let find = |run: &super::running::Ran, t: f64| {
        *run.columns(["t", "bob.x", "bob.y'"]).iter().find(|row| (row[0] - t).abs() < 1e-12).unwrap()
    };
    for i in 0..=500 {
        let t = i as f64 * 0.02;
        let (a, b) = (find(&run, t), find(&fine, t));
        assert!((a[1] - b[1]).abs() < 1e-8 && (a[2] - b[2]).abs() < 3e-8, "{a:?} {b:?}");
    }
}

/// The way of recording does not change the motion.
#[test]
fn records_do_not_disturb() {
    let end = |every| {
        let run = run_gallery("andrews/andrews", &with(|options| options.every = Some(every)), &[]);
        (run.last(["t", "beta", "beta'", "epsilon"]).map(f64::to_bits), run.outcome.evidence)
    };
    assert_eq!(end(0.03), end(0.001));
    assert_eq!(end(0.03), end(0.0001));
}

#[test]
fn the_same_bits_every_time() {
    for name in
        ["andrews/andrews", "wheel/wheel", "appell/appell", "n-four-bar/n-four-bar", "rolling-disc/rolling-disc"]
    {
        let bits = || {
            let run = run_gallery(name, &with(|_| ()), &[]);
            let bits: Vec<u64> = run.rows.as_slice().concat().into_iter().map(f64::to_bits).collect();
            (bits, run.outcome.statistics, run.outcome.ranks)
        };
        assert!(bits() == bits(), "{name}");
    }
}

/// x″ = f(t), f a curve through points: in each piece x is a polynomial of the fifth degree, which the method integrates exactly as long as no
/// step goes across a point, however loose the tolerance.
#[test]
fn steps_end_at_the_points_of_tables() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("points-of-a-table");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("f.csv"), "0, 1\n0.5, -3\n1.1, 4\n1.7, 0\n2, 1\n").unwrap();
    let text = "table f = \"f.csv\"\ncoord x\nkinetic x'^2/2\nforce x: f(t)\nstart x = 0, x' = 0\nrun until 2\n";
    let end = |rtol: f64| {
        let options = with(|options| options.rtol = Some(rtol));
        super::running::finish(super::running::prepare(text, &folder, &options, &[])).last(["x", "x'"])
    };
    let (loose, tight) = (end(1e-3), end(1e-12));
    assert!(loose.iter().zip(tight).all(|(a, b)| (a - b).abs() < 1e-12), "{loose:?} {tight:?}");
}
