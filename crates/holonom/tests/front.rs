//! The front door: what a program that uses the library can ask, and what it gets where something is wrong.

use std::fs;
use std::path::{Path, PathBuf};

use holonom::language::ModelBuilder;
use holonom::simulate::integrate::End;
use holonom::symbols::expr::{Language, Notation};
use holonom::{Rejection, Run, System};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const OSCILLATOR: &str = "param k = 4, m = 1\ncoord x\nkinetic m*x'^2/2\npotential k*x^2/2\nstart x = 1\n";

/// The lines of the README's example, as they stand there, do what it says.
#[test]
fn the_example_of_the_readme() -> Result<(), Rejection> {
    std::env::set_current_dir(root()).unwrap();
    let readme = fs::read_to_string("README.md").unwrap();
    let example = readme.split("## In Rust").nth(1).and_then(|rest| rest.split("```").nth(1)).unwrap();
    let own = include_str!("front.rs");
    for line in example.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with("use ")) {
        assert!(own.contains(&format!("    {line}\n")), "the README has another line: {line}");
    }
    assert!(example.lines().filter(|line| line.starts_with("let ") || line.starts_with("println")).count() == 5);

    readme_example()
}

#[rustfmt::skip]
fn readme_example() -> Result<(), Rejection> {
    let wheel = System::read("gallery/wheel/short.holo")?;
    let verdict = wheel.check()?;                                // prints like `holonom check`; fields by name
    let formula = wheel.explain()?.acceleration("theta");        // text, LaTeX, code
    let motion = wheel.set("m", 3.0)?.run(Run::until(5.0))?;     // columns by name, events, evidence
    println!("{verdict}\n{formula:?}\ntheta = {}", motion.last("theta")?);
    Ok(())
}

/// A parameter that is set means what the text with that number means, also where it shapes the model.
#[test]
fn what_is_set_is_what_could_have_been_written() -> Result<(), Rejection> {
    let system = System::parse("spring.holo", OSCILLATOR)?;
    let written = System::parse("spring.holo", &OSCILLATOR.replace("k = 4", "k = 9"))?;
    let [set, written] = [system.set("k", 9.0)?, written].map(|one| one.run(Run::until(3.0)));
    assert_eq!(set?.column("x")?, written?.column("x")?);
    let family = System::parse(
        "masses.holo",
        "param N = 2\ncoord x[1..N]\nkinetic sum(i in 1..N, x[i]'^2)/2\nstart x[i in 1..N] = i\n",
    )?;
    assert_eq!(family.set("N", 5)?.equations().model.coordinates.len(), 5);
    // Twice the same, the last counts; others stay set.
    let twice = system.set("m", 2.0)?.set("k", 5.0)?.set("k", 8.0)?.check()?;
    assert!((twice.acceleration("x").unwrap() + 4.0).abs() < 1e-14);
    Ok(())
}

#[test]
fn values_have_the_units_of_their_parameters() -> Result<(), Rejection> {
    let text = "param a = 30 deg, L = 1 m\ncoord x: m\nkinetic 1 kg * x'^2/2\nforce x: 1 N * sin(a) * L / (1 m)\nstart x = 0 m\n";
    let system = System::parse("push.holo", text)?;
    assert!((system.set("a", "90 deg")?.check()?.acceleration("x").unwrap() - 1.0).abs() < 1e-15);
    assert_eq!(system.set("L", "250 cm")?.check()?.acceleration("x"), system.set("L", 2.5)?.check()?.acceleration("x"));
    for (name, value, code) in [
        ("a", "2", "setting-unit"),
        ("L", "3 kg", "setting-unit"),
        ("L", "long", "setting-unit"),
        ("l", "3", "unknown-parameter"),
    ] {
        let rejection = system.set(name, value).err().unwrap();
        assert_eq!(rejection.errors().next().unwrap().code, code, "{name} = {value}: {rejection}");
        assert!(rejection.to_string().starts_with(&format!("error[{code}]")), "{rejection}");
    }
    Ok(())
}

/// Between records a motion is known to the accuracy of its steps, not of a straight line.
#[test]
fn motions_are_interpolated() -> Result<(), Rejection> {
    let motion = System::parse("spring.holo", OSCILLATOR)?.run(Run::until(2.0).every(0.1).rtol(1e-11))?;
    for k in 0..=200 {
        let t = 0.01 * f64::from(k);
        let (x, v) = (motion.value_at(t, "x")?, motion.value_at(t, "x'")?);
        assert!((x - (2.0 * t).cos()).abs() < 1e-8, "x({t}) = {x}");
        assert!((v + 2.0 * (2.0 * t).sin()).abs() < 2e-4, "x'({t}) = {v}");
    }
    let last = motion.len() - 1;
    assert_eq!(motion.value_at(motion.row(last)[0], "x")?, motion.last("x")?);
    assert!(motion.value_at(-0.1, "x")?.is_nan() && motion.value_at(2.1, "x")?.is_nan());
    let rejection = motion.column("y'").err().unwrap();
    assert_eq!(rejection.messages[0].code, "unknown-column");
    assert!(rejection.to_string().contains("the table has no column `y'`"), "{rejection}");
    Ok(())
}

/// A bounce has two rows at one time: before it by interpolation, at it and after it what follows.
#[test]
fn jumps_are_not_smoothed() -> Result<(), Rejection> {
    let text = "coord y\nparticle ball: 1 at (0, y)\ngravity (0, -2)\nconstraint floor: y >= 0, restitution = 0.5\nstart y = 1\n";
    let motion = System::parse("ball.holo", text)?.run(Run::until(1.5))?;
    let bounce = motion.events()[0].time;
    assert!((bounce - 1.0).abs() < 1e-12);
    assert!((motion.value_at(bounce, "y'")? - 1.0).abs() < 1e-9);
    assert!((motion.value_at(bounce - 1e-9, "y'")? + 2.0).abs() < 1e-6);
    Ok(())
}

/// A run that fails on its way, or whose expectation does not hold, gives its errors and everything computed so far.
#[test]
fn what_was_computed_is_not_lost() -> Result<(), Rejection> {
    let away = System::parse("away.holo", "coord x\nkinetic x'^2/2\nforce x: 2*x^3\nstart x = 1, x' = 1\n")?;
    let rejection = away.run(Run::until(2.0)).err().unwrap();
    let so_far = rejection.so_far.as_ref().expect("a motion up to there");
    // x = 1/(1 − t).
    let t = so_far.last("t")?;
    assert!(*so_far.end() == End::Failed && (t - 1.0).abs() < 1e-3 && so_far.len() > 10, "{rejection}");
    assert!((so_far.value_at(0.5, "x")? - 2.0).abs() < 1e-6);
    assert!(rejection.errors().all(|error| error.time.is_some_and(|time| (time - t).abs() < 1e-3)));
    let wrong = System::parse("wrong.holo", &format!("{OSCILLATOR}expect x = 1\nrun until 1\n"))?;
    let rejection = wrong.run(Run::default()).err().unwrap();
    assert_eq!(rejection.errors().map(|error| error.code).collect::<Vec<_>>(), ["expect-failed"]);
    assert_eq!(*rejection.so_far.unwrap().end(), End::Finished);
    Ok(())
}

/// A check that finds errors is an answer; a model that cannot be read is not.
#[test]
fn verdicts_name_what_is_wrong() -> Result<(), Rejection> {
    let text = "coord x\nkinetic x'^2/2\nconstraint a: x = 1\nconstraint b: x = 2\nstart x = 1\n";
    let verdict = System::parse("two.holo", text)?.check()?;
    assert!(!verdict.is_accepted() && verdict.messages_of("contradiction").next().is_some(), "{verdict}");
    assert!(System::parse("two.holo", text)?.run(Run::until(1.0)).is_err_and(|why| why.so_far.is_none()));
    let open = System::parse("g.holo", "function g(t)\ncoord x\nkinetic x'^2/2\nconstraint c: x = g(t)\n")?;
    assert_eq!(open.check().err().unwrap().messages[0].code, "function-unspecified");
    assert_eq!(open.explain()?.acceleration("x").unwrap().to_string(), "g''(t)");
    assert!(
        System::read(root().join("gallery/no-such.holo")).is_err_and(|why| why.messages[0].code == "unreadable-file")
    );
    Ok(())
}

/// Another start: what is given is kept, and the rest follows from the constraints.
#[test]
fn another_start() -> Result<(), Rejection> {
    let text =
        "coord x, y\nparticle bob: 1 at (x, y)\ngravity (0, -10)\nconstraint rod: x^2 + y^2 = 1\nstart x = 0, y = -1\n";
    let pendulum = System::parse("pendulum.holo", text)?;
    let moved = pendulum.at("x = 0.6, t = 2")?;
    assert_eq!(moved.time(), 2.0);
    let verdict = moved.check()?;
    assert!((verdict.coordinate("y").unwrap().position + 0.8).abs() < 1e-12, "{verdict}");
    assert!((verdict.acceleration("x").unwrap() + 4.8).abs() < 1e-12, "{verdict}");
    for wrong in ["z = 1", "x = ", "x = 1, x = 2", "x 1", "x = y"] {
        assert_eq!(pendulum.at(wrong).err().unwrap().messages[0].code, "bad-state", "{wrong}");
    }
    Ok(())
}

/// The same formula in every notation and as code.
#[test]
fn formulas_by_name() -> Result<(), Rejection> {
    let text =
        "param m = 2, g = 9.81, L = 1\ncoord th\nkinetic m*L^2*th'^2/2\npotential -m*g*L*cos(th)\nstart th = 1\n";
    let explanation = System::parse("pendulum.holo", text)?.explain()?;
    let formula = explanation.acceleration("th").unwrap();
    assert_eq!(formula.to_string(), "-g*sin(th)/L");
    assert_eq!(formula.print(Notation::Latex), "-\\frac{g \\sin \\mathrm{th}}{L}");
    assert!(explanation.code(Language::Python).unwrap().contains("def "));
    assert!(explanation.acceleration("x").is_none() && explanation.definitions().is_empty());
    assert!(explanation.to_string().contains("Equation of motion"));
    Ok(())
}

/// A motion written from a program is the folder that the command writes, without its page.
#[test]
fn motions_are_written() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("holonom-front-{}", std::process::id()));
    let motion = System::parse("spring.holo", OSCILLATOR)?.run(Run::until(1.0).every(0.5))?;
    let names: Vec<&str> = motion.write(&folder)?.iter().map(|file| file.name).collect();
    assert_eq!(names, ["trajectory.parquet", "trajectory.csv", "summary.json"]);
    let table = fs::read_to_string(folder.join("trajectory.csv"))?;
    assert_eq!(table.lines().count(), 1 + motion.len());
    assert!(table.starts_with("t,x,x',x''"));
    assert!(fs::read_to_string(folder.join("summary.json"))?.contains("\"spring.holo\""));
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// Many states at a time, and a run that is stopped from outside.
#[test]
fn batches_and_interruptions() -> Result<(), Rejection> {
    let system = System::parse("spring.holo", OSCILLATOR)?;
    let states = holonom::simulate::batch::States { count: 3, q: &[1.0, 2.0, 3.0], v: &[0.0; 3], ..Default::default() };
    let mut accelerations = [0.0; 3];
    assert!(system.accelerations().evaluate(&states, &mut accelerations).troubles.is_empty());
    assert_eq!(accelerations, [-4.0, -8.0, -12.0]);
    let motion = system.run_while(Run::until(1e6), &mut |t| t < 5.0)?;
    assert!(*motion.end() == End::Interrupted && motion.last("t")? < 1e3);
    let built = ModelBuilder::new().coord("x", "m").kinetic("1 kg * x'^2/2").start("x", "1 m").start("x'", "2 m/s");
    assert!((System::build(built)?.run(Run::until(2.0))?.last("x")? - 5.0).abs() < 1e-12);
    Ok(())
}

/// An output that becomes no number is named at the end of a run, with the first time; a constant that is none is rejected.
#[test]
fn outputs_that_are_no_numbers_are_named() {
    let text = "coord x\nparticle p: 1 at (x, 0)\nstart x = 1, x' = -1\noutput root: (1, sqrt(x), sqrt(x))\n";
    let motion = System::parse("m.holo", text).unwrap().run(Run::until(2.0)).unwrap();
    let said: Vec<_> = motion.messages().iter().filter(|one| one.code == "output-not-finite").collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].message.contains("root.2") && said[0].time.is_some_and(|t| t > 1.0 && t < 1.5), "{said:?}");
    let constant = System::parse("m.holo", &format!("{text}output bad: 1/sin(0)\n"));
    assert!(constant.is_err());
}
