//! The viewer in a browser, on small reports made by hand. Where there is no Chromium these tests say nothing, unless
//! `HOLONOM_REQUIRE_TOOLS` is set.

mod layout;
mod sample;

use holonom_browser::{Browser, Error, Look, Page};
use sample::{LATEX, Sample};

/// Nothing was asked of anybody but the page itself, and nobody complained.
fn is_quiet(page: &mut Page<'_>) -> Result<(), Error> {
    let outside: Vec<_> = page.requests()?.into_iter().filter(|a| !a.starts_with("file:")).collect();
    assert!(outside.is_empty(), "asked for {outside:?}");
    let console = page.console()?;
    assert!(console.is_empty(), "the console says {console:?}");
    Ok(())
}

fn number(page: &mut Page<'_>, script: &str) -> f64 {
    page.evaluate(script).expect("the script runs").as_f64().unwrap_or(f64::NAN)
}

/// Two frames later everything asked for has been drawn.
pub const DRAWN: &str = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))";

/// What a canvas shows.
fn picture(page: &mut Page<'_>, selector: &str) -> String {
    page.evaluate(DRAWN).expect("frames come");
    let data = page.evaluate(&format!("document.querySelector('{selector}').toDataURL()"));
    data.expect("a canvas can be read").to_string()
}

#[test]
fn the_data_arrives_to_the_last_bit() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let sample = Sample::pendulum(101);
    let written = sample.write();
    let mut page = browser.page(written.as_ref())?;
    assert!(page.evaluate("holonom.ready")?.is_null());
    for (name, column) in [("t", 0), ("theta", 1), ("gaps", 3)] {
        let read = page.evaluate(&format!("holonom.values(\"{name}\").map((v) => Number.isNaN(v) ? null : v)"))?;
        for (k, value) in sample.columns[column].iter().enumerate() {
            assert_eq!(read[k].as_f64(), Some(f64::from(*value)).filter(|v| !v.is_nan()), "{name}, row {k}");
        }
    }
    is_quiet(&mut page)
}

#[test]
fn play_slide_hover_and_copy() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    assert_eq!(page.evaluate("holonom.playing()")?, false, "nothing moves unasked");
    assert_eq!(number(&mut page, "holonom.time()"), 0.0);
    let at_rest = picture(&mut page, ".stage canvas");
    let cursor_at_rest = picture(&mut page, "#plot-coordinates .over");

    page.click("button.play")?;
    page.wait_until("holonom.time() > 0.1")?;
    page.click("button.play")?;
    assert_eq!(page.evaluate("holonom.playing()")?, false);
    assert!(picture(&mut page, ".stage canvas") != at_rest, "the picture moved");
    assert!(picture(&mut page, "#plot-coordinates .over") != cursor_at_rest, "the cursor moved");

    // The slider goes where it is dragged to, and the rod with it.
    page.click_at("input[type=range]", 0.5, 0.5)?;
    let time = number(&mut page, "holonom.time()");
    assert!((time - 5.0).abs() < 0.1, "{time}");
    let x = number(&mut page, "holonom.points()[1][0]");
    assert!((x - time.cos().sin()).abs() < 2e-3, "{x} at {time}");
    assert_eq!(page.evaluate("document.querySelector('.last-event').textContent.includes('half')")?, time >= 5.0);

    // A read-out at the pointer, and the cursor with it; the time stays until a click.
    page.hover("#plot-coordinates .frame", 0.8, 0.5)?;
    page.evaluate(DRAWN)?;
    let cursor = number(&mut page, "holonom.cursor()");
    assert!((7.0..8.5).contains(&cursor), "{cursor}");
    assert_eq!(number(&mut page, "holonom.time()"), time);
    let readout = page.evaluate("document.querySelector('#plot-coordinates .readout').textContent")?;
    assert!(readout.as_str().is_some_and(|text| text.contains('θ') && text.contains("rad/s")), "{readout}");
    page.click_at("#plot-coordinates .frame", 0.8, 0.5)?;
    assert!((number(&mut page, "holonom.time()") - cursor).abs() < 1e-9);
    // In a phase plot the nearest point of the line.
    page.click_at("#plot-phase .frame", 0.9, 0.52)?;
    let theta = number(&mut page, "Math.cos(holonom.time())");
    assert!(theta > 0.8, "{theta}");

    page.grant_clipboard()?;
    page.click("#copy-latex")?;
    page.wait_until("document.querySelector('.copy-status').textContent === 'Copied'")?;
    assert_eq!(page.clipboard()?, LATEX);
    // Where a file may not use the clipboard, a selection is copied instead.
    page.evaluate("navigator.clipboard.writeText('something else')")?;
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }), null")?;
    page.click("#copy-latex")?;
    page.evaluate("delete navigator.clipboard")?;
    assert_eq!(page.clipboard()?, LATEX);
    is_quiet(&mut page)
}

#[test]
fn it_ends_or_begins_again() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let mut page = browser.page(written.as_ref())?;
    page.emulate(Look { still: true, ..Look::default() })?;
    page.evaluate("holonom.ready")?;
    assert_eq!(page.evaluate("[holonom.speed(), holonom.playing()]")?, serde_json::json!([1, false]));
    let choose = "(() => { const s = document.querySelector('.controls select'); s.value = '10'; s.dispatchEvent(new Event('change')); return holonom.speed(); })()";
    assert_eq!(number(&mut page, choose), 10.0);
    page.click("button.play")?;
    page.wait_until("!holonom.playing()")?;
    assert_eq!(number(&mut page, "holonom.time()"), 10.0, "it stops at the end");
    page.click("button[aria-label=Repeat]")?;
    page.click("button.play")?;
    page.wait_until("holonom.time() > 7")?;
    page.wait_until("holonom.time() < 3")?;
    assert_eq!(page.evaluate("holonom.playing()")?, true);
    is_quiet(&mut page)
}

#[test]
fn one_zoom_for_all_plots_over_time() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(20_001).write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    assert_eq!(page.evaluate("document.querySelector('#plot-drift .reset').hidden")?, true);
    page.drag("#plot-coordinates .frame", (0.4, 0.5), (0.6, 0.5))?;
    let zoom = page.evaluate("holonom.zoom()")?;
    let (low, high) = (zoom[0].as_f64().unwrap_or(0.0), zoom[1].as_f64().unwrap_or(0.0));
    assert!(low > 2.0 && high < 7.0 && high - low > 1.0, "{zoom}");
    page.click("#plot-drift .reset")?;
    assert_eq!(page.evaluate("holonom.zoom()")?, serde_json::json!([0, 10]));
    page.wheel("#plot-coordinates .frame", -200.0, true)?;
    page.wait_until("holonom.zoom()[0] > 0")?;
    page.evaluate("document.querySelector('#plot-coordinates .frame').focus()")?;
    page.press("0")?;
    assert_eq!(page.evaluate("holonom.zoom()")?, serde_json::json!([0, 10]));

    // A line that is switched off, and a plot that is folded until somebody opens it.
    page.click("#plot-coordinates .item")?;
    assert_eq!(page.evaluate("holonom.plots()[0].lines")?, 1);
    assert_eq!(page.evaluate("holonom.plots()[3].drawn")?, false);
    page.click("#plot-folded summary")?;
    page.wait_until("holonom.plots()[3].drawn")?;
    is_quiet(&mut page)
}

#[test]
fn by_keyboard_alone() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    for _ in 0..30 {
        page.press("Tab")?;
        if page.evaluate("document.activeElement.className === 'stage'")? == true {
            break;
        }
    }
    page.press(" ")?;
    page.wait_until("holonom.playing() && holonom.time() > 0")?;
    page.press(" ")?;
    let time = number(&mut page, "holonom.time()");
    page.press("ArrowRight")?;
    assert!(number(&mut page, "holonom.time()") > time);
    page.press("PageDown")?;
    assert_eq!(number(&mut page, "holonom.time()"), 5.0, "the next event");
    page.press("End")?;
    assert_eq!(number(&mut page, "holonom.time()"), 10.0);
    let canvases = "[...document.querySelectorAll('.stage canvas, .plot[open] .base')]";
    page.evaluate("document.querySelector('footer').scrollIntoView()")?;
    page.wait_until(&format!("{canvases}.every((c) => c.getAttribute('role') === 'img' && c.ariaLabel?.length > 20)"))?;
    let buttons = "[...document.querySelectorAll('button')].every((b) => (b.ariaLabel ?? b.textContent).trim())";
    assert_eq!(page.evaluate(buttons)?, true, "every button has a name");
    is_quiet(&mut page)
}

/// Traces and arrows are drawn while their button is pressed, and only where there are some.
#[test]
fn arrows_and_traces_on_request() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    {
        let without = Sample::pendulum(101).write();
        let mut page = browser.page(without.as_ref())?;
        page.evaluate("holonom.ready")?;
        assert_eq!(number(&mut page, "document.querySelectorAll('.toggle').length"), 0.0, "there is nothing to show");
    }
    let mut sample = Sample::pendulum(101);
    let picture_of = &mut sample.about["picture"];
    picture_of["points"] =
        serde_json::json!([{ "fixed": [0, 0, 0] }, { "columns": [4, 5, null] }, { "columns": [2, 1, null] }]);
    picture_of["arrows"] = serde_json::json!({ "velocities": [[1, 2]], "reactions": [[1, [[1, 2], null, null]]] });
    let shapes = picture_of["shapes"].as_array_mut().expect("shapes");
    shapes.retain(|shape| shape["kind"] != "trace");
    let written = sample.write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    page.click_at("input[type=range]", 0.3, 0.5)?;
    let labels = page.evaluate("[...document.querySelectorAll('.toggle')].map((b) => b.textContent).join()")?;
    assert_eq!(labels, "traces,velocities,reactions");
    let bare = picture(&mut page, ".stage canvas");
    for k in 1..=3 {
        let button = format!(".toggle:nth-child({k})");
        page.click(&button)?;
        assert!(picture(&mut page, ".stage canvas") != bare, "button {k} shows something");
        page.click(&button)?;
        assert!(picture(&mut page, ".stage canvas") == bare, "button {k} hides it again");
    }
    is_quiet(&mut page)
}

#[test]
fn in_space_it_turns_and_zooms() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::space().write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    let first = (picture(&mut page, ".stage canvas"), page.evaluate("holonom.view()")?);
    page.drag(".stage", (0.5, 0.5), (0.7, 0.4))?;
    let turned = picture(&mut page, ".stage canvas");
    assert!(turned != first.0, "a drag turns it");
    page.click(".corner button")?;
    assert!(picture(&mut page, ".stage canvas") != turned, "a button zooms");
    assert_ne!(page.evaluate("holonom.view()")?, first.1);
    page.click(".corner button:last-child")?;
    assert_eq!(page.evaluate("holonom.view()")?, first.1, "show all goes back to the beginning");
    is_quiet(&mut page)
}

#[test]
fn dark_light_phone_and_paper() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    let paper = "getComputedStyle(document.body).backgroundColor";
    let light = page.evaluate(paper)?;
    let line = "getComputedStyle(document.querySelector('.swatch')).borderTopColor";
    let light_line = page.evaluate(line)?;
    let drawn = picture(&mut page, "#plot-coordinates .base");
    page.emulate(Look { dark: true, ..Look::default() })?;
    assert_ne!(page.evaluate(paper)?, light);
    assert_ne!(page.evaluate(line)?, light_line);
    assert!(picture(&mut page, "#plot-coordinates .base") != drawn, "the canvas follows the theme");
    page.click("#theme")?;
    assert_eq!(page.evaluate(paper)?, light, "light, though the system is dark");
    assert_eq!(page.evaluate(line)?, light_line);

    page.emulate(Look { width: 360, height: 740, scale: 2.0, ..Look::default() })?;
    let wide = number(&mut page, "document.documentElement.scrollWidth");
    assert!(wide <= 360.0, "a phone shows {wide} pixels");

    page.emulate(Look { print: true, width: 700, ..Look::default() })?;
    page.evaluate(DRAWN)?;
    assert_eq!(page.evaluate("getComputedStyle(document.querySelector('nav')).display")?, "none");
    assert_eq!(page.evaluate("holonom.plots().filter((plot) => plot.drawn).length")?, 3);
    is_quiet(&mut page)
}

#[test]
fn what_is_missing_or_damaged_is_said() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let mut no_picture = Sample::pendulum(101);
    no_picture.about["picture"] = serde_json::Value::Null;
    let mut damaged = Sample::pendulum(101);
    damaged.damaged = Some("eJwDAAAAAAE=");
    let mut not_base64 = Sample::pendulum(101);
    not_base64.damaged = Some("%%%");
    let mut too_short = Sample::pendulum(101);
    too_short.columns.pop();
    let cases = [
        (no_picture, "draw"),
        (Sample::pendulum(0), "no rows"),
        (damaged, "cannot be read"),
        (not_base64, "base64"),
        (too_short, "bytes where"),
        (Sample::pendulum(1), "t = 0"),
    ];
    for (sample, words) in cases {
        let written = sample.write();
        let mut page = browser.page(written.as_ref())?;
        page.evaluate("holonom.ready")?;
        page.evaluate(DRAWN)?;
        let said = page.evaluate("document.querySelector('#animation').textContent")?;
        assert!(said.as_str().is_some_and(|text| text.contains(words)), "{said} does not say {words}");
        is_quiet(&mut page)?;
    }
    Ok(())
}

#[test]
fn two_hundred_columns_and_nothing_but_gaps() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let mut sample = Sample::pendulum(51);
    for k in 0..200 {
        let name = format!("gap[{k}]");
        sample.about["columns"]
            .as_array_mut()
            .expect("columns are a list")
            .push(serde_json::json!({ "name": name, "label": name, "unit": null }));
        sample.columns.push(vec![f32::NAN; 51]);
    }
    let many: Vec<usize> = (6..206).collect();
    sample.about["plots"][0]["y"] = serde_json::json!(many);
    let written = sample.write();
    let mut page = browser.page(written.as_ref())?;
    assert!(page.evaluate("holonom.ready")?.is_null());
    page.hover("#plot-coordinates .frame", 0.5, 0.5)?;
    page.evaluate(DRAWN)?;
    let shown = number(&mut page, "holonom.plots()[0].lines");
    assert!((1.0..20.0).contains(&shown), "{shown} of 200 lines at first");
    is_quiet(&mut page)
}
