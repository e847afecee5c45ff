//! Reports of models of the gallery, opened in a browser and used as a person would. Where there is no Chromium the tests that need it
//! say nothing, unless `HOLONOM_REQUIRE_TOOLS` is set.

mod layout;
mod ran;

use holonom::System;
use holonom::output::{About, Summary};
use holonom::simulate::integrate;
use holonom_browser::{Browser, Error, Look, Page};
use holonom_report::{Film, KeptRows, Overlay, Wanted, figure};
use ran::{DRAWN, Kept, Ran, Temporary, run};

fn canvas(page: &mut Page<'_>, selector: &str) -> String {
    page.evaluate(DRAWN).expect("frames come");
    page.evaluate(&format!("document.querySelector('{selector}').toDataURL()"))
        .expect("a canvas can be read")
        .to_string()
}

fn number(page: &mut Page<'_>, script: &str) -> f64 {
    page.evaluate(script).expect("the script runs").as_f64().unwrap_or(f64::NAN)
}

/// Opens a report, plays it, moves the slider, hovers a plot, copies the formulas; nothing is asked of anybody outside, and
/// the console is silent.
fn is_used(name: &str, options: &integrate::Run) -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let ran = run(name, options);
    let text = ran.page();
    let file = Temporary::new(&name.replace('/', "-"), &text);
    let mut page = browser.page(&file.0)?;
    assert!(page.evaluate("holonom.ready")?.is_null(), "{name}");
    let (still, cursor) = (canvas(&mut page, ".stage canvas"), canvas(&mut page, "#plot-coordinates .over"));
    let points = page.evaluate("holonom.points()")?;
    page.click("button.play")?;
    page.wait_until("holonom.time() > 0")?;
    page.click("button.play")?;
    page.click_at("input[type=range]", 0.37, 0.5)?;
    assert!(canvas(&mut page, ".stage canvas") != still, "{name}: the picture does not move");
    assert!(canvas(&mut page, "#plot-coordinates .over") != cursor, "{name}: the cursor does not move");
    assert_ne!(page.evaluate("holonom.points()")?, points, "{name}");
    let end = ran.summary["time"].as_f64().unwrap_or(1.0);
    let time = number(&mut page, "holonom.time()");
    assert!((0.3..0.45).contains(&(time / end)), "{name}: {time} of {end}");
    page.hover("#plot-coordinates .frame", 0.8, 0.5)?;
    page.evaluate(DRAWN)?;
    assert!(number(&mut page, "holonom.cursor()") > time, "{name}");
    assert!(
        page.evaluate("document.querySelector('#plot-coordinates .readout').textContent.length")?.as_u64() > Some(5)
    );
    page.grant_clipboard()?;
    page.click("#copy-latex")?;
    page.wait_until("document.querySelector('.copy-status').textContent === 'Copied'")?;
    let copied = page.clipboard()?;
    assert!(copied.contains("\\begin{align*}") && copied.contains("\\ddot"), "{name}: {copied}");
    assert!(number(&mut page, "document.querySelectorAll('#equations math').length") > 0.0);
    for (width, dark) in [(1280, true), (360, false)] {
        page.emulate(Look { width, dark, ..Look::default() })?;
        page.evaluate(DRAWN)?;
        let wide = number(&mut page, "document.documentElement.scrollWidth");
        assert!(wide <= f64::from(width), "{name}: {wide} pixels on {width}");
    }
    let outside: Vec<_> = page.requests()?.into_iter().filter(|address| !address.starts_with("file:")).collect();
    assert!(outside.iter().all(|address| address.starts_with("data:")), "{name} asks for {outside:?}");
    let console = page.console()?;
    assert!(console.is_empty(), "{name}: the console says {console:?}");
    Ok(())
}

#[test]
fn the_pendulum_is_used() -> Result<(), Error> {
    is_used("pendulum", &integrate::Run::default())
}

#[test]
fn the_rough_incline_is_used() -> Result<(), Error> {
    is_used("incline", &integrate::Run::default())
}

#[test]
fn the_n_four_bar_is_used() -> Result<(), Error> {
    is_used("n-four-bar", &integrate::Run { until: Some(2.0), ..integrate::Run::default() })
}

#[test]
fn something_in_space_is_used() -> Result<(), Error> {
    is_used("spherical-pendulum", &integrate::Run::default())
}

/// A closed form with a page of names in it is not shown: the equations it comes from are, and the button has the rest.
#[test]
fn no_page_of_temporaries() {
    let page = run("andrews", &integrate::Run { until: Some(1e-3), ..integrate::Run::default() }).page();
    let section = page
        .split("<section id=\"equations\"")
        .nth(1)
        .and_then(|rest| rest.split("</section>").next())
        .expect("it is there");
    assert!(section.contains("The same equations in implicit form") && section.contains("Derived"), "{section}");
    assert!(!section.contains("Too long to read"));
    assert!(!section.contains("<mi>x</mi><mn>20</mn>"), "names for parts");
}

/// Long fractions keep their bar: on a phone the numerator of a ladder with friction takes several lines.
#[test]
fn long_fractions_are_stacked() {
    let page = run("ladder", &integrate::Run { until: Some(0.1), ..integrate::Run::default() }).page();
    assert!(page.contains("<mfrac><mtable class=\"lines\""));
}

/// A parameter is shown in the unit it was typed in, and a coordinate by one name everywhere.
#[test]
fn names_and_units_are_those_of_the_model() {
    let page = run("elastic-pendulum", &integrate::Run { until: Some(1.0), ..integrate::Run::default() }).page();
    assert!(page.contains("<dd>29.43 N/m</dd>"), "the stiffness has another unit");
    assert!(page.contains(" = 29.43 N/m"), "and in the formulas another one");
    assert!(!page.contains("kg/s²"));
    let page = run("pendulum", &integrate::Run { until: Some(1.0), ..integrate::Run::default() }).page();
    assert!(page.contains("\"label\":\"bob.x\"") && page.contains("\"label\":\"Qᵢ bob.x\""));
    assert!(!page.contains("\"bob x\""));
    let formulas = page.split("<section id=\"equations\"").nth(1).expect("there are formulas");
    assert!(
        formulas.contains("<mi>bob</mi><mo") && !formulas.contains("<mi>bob</mi></msub>"),
        "formulas spell it so, too"
    );
}

/// What the viewer reads is what was recorded, to single precision.
#[test]
fn the_numbers_arrive() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let ran = run("block", &integrate::Run::default());
    let file = Temporary::new("numbers", &ran.page());
    let mut page = browser.page(&file.0)?;
    page.evaluate("holonom.ready")?;
    for (name, place) in ["t", "x", "Qi.y", "residual.position"].map(|name| (name, ran.rows.place(name))) {
        let read = page.evaluate(&format!("holonom.values('{name}')"))?;
        let recorded = ran.rows.column(place.expect("it is a column"));
        assert_eq!(read.as_array().map(Vec::len), Some(recorded.len()));
        for (k, x) in recorded.iter().enumerate() {
            let value = read[k].as_f64().unwrap_or(f64::NAN);
            assert!((value - x).abs() <= 6e-8 * x.abs() + 1e-38, "{name} {k}: {value} {x}");
        }
    }
    // Impressed forces are computed anew: m g downwards.
    let impressed = page.evaluate("holonom.values('Q.y')[7]")?.as_f64().unwrap_or(0.0);
    assert!((impressed + 2.0 * 9.81).abs() < 1e-5, "{impressed}");
    Ok(())
}

/// 100,000 rows stay below ten megabytes, and the page without its numbers below one and a half.
#[test]
fn long_runs_stay_small() {
    let options = integrate::Run { until: Some(50.0), every: Some(5e-4), ..integrate::Run::default() };
    let ran = run("double-pendulum", &options);
    assert!(ran.rows.recorded() >= 100_000, "{}", ran.rows.recorded());
    let page = ran.page();
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    let marker = "id=\"holonom-columns\">";
    let numbers = page.find(marker).and_then(|at| page[at + marker.len()..].find("</script>")).expect("numbers");
    assert!(page.len() - numbers < 1_500_000, "{} bytes besides {numbers}", page.len() - numbers);
    assert!(ran.rows.len() > 50_000, "{}", ran.rows.len());
}

/// Whatever a model calls itself, it stays text.
#[test]
fn titles_do_not_become_scripts() {
    let text =
        "title a </script><script>alert(1)</script> b\ncoord x\nkinetic x'^2/2\nstart x = 0, x' = 1\nrun until 1\n";
    let system = System::parse("x.holo", text).expect("a model");
    let plan = system.plan(&integrate::Run::default()).expect("a plan").value;
    let mut kept = Kept(KeptRows::new(&plan.columns, 0));
    let outcome = plan.run(&mut kept);
    let about = About { title: Some("a </script><script>alert(1)</script> b".to_string()), ..About::default() };
    let summary = Summary::new(about, &plan, &outcome, &[], system.sources()).json().to_string();
    let summary = serde_json::from_str(&summary).expect("JSON");
    let ran = Ran { plan, rows: kept.0, summary, system };
    let page = ran.page();
    assert!(!page.contains("<script>alert"), "a script got in");
    assert_eq!(page.matches("</script>").count(), 4);
}

/// A film has the frames that its speed asks for, all of one size, and ends with the last row.
#[test]
fn a_film_of_a_run() {
    let ran = run("block", &integrate::Run { until: Some(0.5), ..integrate::Run::default() });
    ran.with(|run| {
        let mut film = Film::new(run, Some(1.0), Overlay::default()).expect("it has a picture");
        assert_eq!(film.len(), 14, "half a second at 25 frames, both ends");
        let gif = film.gif(0.5);
        assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3b]));
        let sizes = |svg: &str| svg.split_once("viewBox=\"").map(|(_, rest)| rest[..20].to_string());
        let (first, last) = (film.frame(0).svg(), film.frame(13).svg());
        assert!(first != last && sizes(&first) == sizes(&last));
        assert_eq!(Film::new(run, None, Overlay::default()).expect("a film").speed, 0.1, "it lasts five seconds");
        assert!(Film::new(run, Some(1e-9), Overlay::default()).is_err_and(|why| why.contains("frames")));
    });
}

/// Every kind of figure can be drawn, as SVG and as PNG; what does not exist is named.
#[test]
fn figures_of_a_run() {
    let ran = run("block", &integrate::Run::default());
    ran.with(|run| {
        let read = |what: &str| Wanted::read(what, run.system, &run.rows.columns);
        for what in
            ["", "x, y", "y over x", "energy", "forces", "constraints", "drift", "velocities", "picture", "Q.y, Qi.y"]
        {
            let figure = figure(run, &read(what).expect(what)).expect(what);
            let svg = figure.svg();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN"), "{what}");
            assert_eq!(&figure.png(1.0)[..4], b"\x89PNG", "{what}");
        }
        assert_eq!(read("velocities, picture"), read("picture, velocities"));
        assert_ne!(read("velocities, picture"), read("picture"));
        let wrong = read("x, velocty").expect_err("no such column");
        assert!(wrong.contains("`velocty`"), "{wrong}");
        let wrong = read("velocitys").expect_err("no such kind");
        assert!(wrong.contains("did you mean `velocities`"), "{wrong}");
    });
}
