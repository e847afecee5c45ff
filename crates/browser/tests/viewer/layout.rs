//! Whether a test of layout sees what is wrong: the same page is looked at as it is, and spoiled on purpose.

use crate::DRAWN;
use crate::sample::Sample;
use holonom_browser::{Browser, Error, Look};

/// So tall that all plots are drawn.
const TALL: u32 = 4000;

#[test]
fn everything_has_its_place_at_every_width() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let mut page = browser.page(written.as_ref())?;
    page.evaluate("holonom.ready")?;
    for (width, print) in [(360, false), (390, false), (768, false), (1280, false), (670, true)] {
        page.emulate(Look { width, height: TALL, print, ..Look::default() })?;
        page.evaluate(DRAWN)?;
        let faults = page.layout_faults()?;
        assert!(faults.is_empty(), "at {width}: {faults:#?}");
    }
    Ok(())
}

#[test]
fn a_spoiled_page_is_found() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let written = Sample::pendulum(101).write();
    let styled = |rules: &str| format!("document.head.insertAdjacentHTML('beforeend', '<style>{rules}</style>'), null");
    let label = "(() => { const canvas = document.querySelector('#plot-coordinates .base'); const context = canvas.getContext('2d');
        const { left, top } = window.drawnTexts.get(canvas)[0]; context.textAlign = 'left'; context.textBaseline = 'top';";
    let cases = [
        (styled("footer { width: 2000px; }"), "pixels wide on a screen of 390"),
        (styled("h1 { white-space: nowrap; font-size: 200px; }"), "goes beyond the screen"),
        (styled("header { overflow: hidden; } h1 { white-space: nowrap; font-size: 200px; }"), "is cut off by the box"),
        (styled(".subtitle { margin-top: -1.5em; }"), "lies on \"A <pendulum> & more\""),
        (format!("{label} context.fillText('spoiled', left, top); }})()"), "\"spoiled\" lies on"),
        (
            format!("{label} context.fillText('spoiled', -10, 70); }})()"),
            "the label \"spoiled\" is cut off in \"Coordinates\"",
        ),
    ];
    for (script, expected) in cases {
        let mut page = browser.page(written.as_ref())?;
        page.evaluate("holonom.ready")?;
        page.emulate(Look { width: 390, height: TALL, ..Look::default() })?;
        page.evaluate(DRAWN)?;
        page.evaluate(&script)?;
        let faults = page.layout_faults()?;
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{script} brings {faults:#?}");
    }
    Ok(())
}
