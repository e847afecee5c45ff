//! The layout of reports and of pages of `explain`: on screens of every width, on a phone and on paper nothing is cut off and nothing
//! lies on anything else.

use crate::ran::{DRAWN, Temporary, run, system};
use holonom::explain::{Request, explain};
use holonom::simulate::integrate;
use holonom::symbols::algebra::Budget;
use holonom_browser::{Browser, Error, Look, Page};

/// A phone, a wider one, a tablet and a desk.
const WIDTHS: [u32; 4] = [360, 390, 768, 1280];
/// Width of the text on A4 paper at 96 pixels an inch.
const PAPER: u32 = 670;
/// So tall that all plots are drawn.
const TALL: u32 = 12_000;

/// What is folded is unfolded, so that it is looked at as well.
const UNFOLD: &str = "document.querySelectorAll('details').forEach((part) => { part.open = true; }), null";

/// Shows the page at every width and on paper, and looks.
fn has_room_for_all(page: &mut Page<'_>, name: &str) -> Result<(), Error> {
    page.evaluate(UNFOLD)?;
    page.evaluate("document.fonts.ready.then(() => null)")?;
    for (width, print) in WIDTHS.map(|width| (width, false)).into_iter().chain([(PAPER, true)]) {
        page.emulate(Look { width, height: TALL, print, ..Look::default() })?;
        page.evaluate(DRAWN)?;
        let faults = page.layout_faults()?;
        assert!(faults.is_empty(), "{name} at {width}{}: {faults:#?}", if print { " on paper" } else { "" });
    }
    Ok(())
}

/// Long formulas, matrices, parts with names, families, contacts, tables of events, space.
const REPORTS: [&str; 12] = [
    "pendulum",
    "double-pendulum",
    "four-bar",
    "slider-crank",
    "andrews",
    "ladder",
    "rolling-disc",
    "bouncing-ball",
    "chain",
    "two-arms",
    "cart-pole",
    "wheel",
];

#[test]
fn reports_fit_on_phone_desk_and_paper() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    for name in REPORTS {
        let until = if name == "andrews" { 1e-3 } else { 0.5 };
        let text = run(name, &integrate::Run { until: Some(until), ..integrate::Run::default() }).page();
        let file = Temporary::new(&format!("layout-{name}"), &text);
        let mut page = browser.page(&file.0)?;
        page.evaluate("holonom.ready")?;
        has_room_for_all(&mut page, name)?;
    }
    Ok(())
}

#[test]
fn explanations_fit_on_phone_desk_and_paper() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let pages = ["pendulum", "double-pendulum", "four-bar", "ladder", "cart-pole", "chain"].map(|name| (name, false));
    for (name, steps) in pages.into_iter().chain([("pendulum", true), ("double-pendulum", true)]) {
        let system = system(name);
        let request = Request { steps, ..Request::default() };
        let explained = explain(system.equations(), &request, &Budget::new(100_000_000)).expect("a page");
        let file = Temporary::new(&format!("explained-{name}-{steps}"), &explained.page.html());
        let mut page = browser.page(&file.0)?;
        has_room_for_all(&mut page, &format!("{name}, steps: {steps}"))?;
    }
    Ok(())
}

/// A report that somebody spoils does not pass: each of these rules of style is one that a careless change could bring.
#[test]
fn spoiled_reports_are_found() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let text = run("two-arms", &integrate::Run { until: Some(0.5), ..integrate::Run::default() }).page();
    let spoiled = [
        (
            ".equations td { white-space: nowrap; } .equations wbr { display: none; } .formulas { overflow: visible; }",
            "pixels wide on a screen",
        ),
        (".equations td { white-space: nowrap; } .equations wbr { display: none; }", "is cut off"),
        (".whole { display: inline !important; } .broken { display: none !important; }", "is cut off"),
        ("pre { white-space: pre; overflow-x: auto; }", "is cut off"),
        ("h2 { margin-bottom: -2.5rem; }", "lies on"),
        (".facts dt { height: 0.2rem; }", "lies on"),
        ("nav { overflow: hidden; gap: 4rem; }", "is cut off"),
    ];
    for (style, expected) in spoiled {
        let page = text.replacen("</style>", &format!("{style}\n</style>"), 1);
        let file = Temporary::new("spoiled", &page);
        let mut page = browser.page(&file.0)?;
        page.evaluate("holonom.ready")?;
        page.evaluate(UNFOLD)?;
        page.emulate(Look { width: 390, height: TALL, ..Look::default() })?;
        page.evaluate(DRAWN)?;
        let faults = page.layout_faults()?;
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{style} brings {faults:#?}");
    }
    Ok(())
}

/// Formulas are set in the font of the page, and dots keep off their letters.
#[test]
fn formulas_bring_their_font() -> Result<(), Error> {
    let Some(mut browser) = Browser::for_test() else { return Ok(()) };
    let text = run("cart-pole", &integrate::Run { until: Some(0.2), ..integrate::Run::default() }).page();
    let file = Temporary::new("font", &text);
    let mut page = browser.page(&file.0)?;
    page.evaluate("document.fonts.ready.then(() => null)")?;
    let fonts = page.evaluate("[...document.fonts].map((font) => `${font.family} ${font.status}`)")?;
    assert_eq!(fonts, serde_json::json!(["Holonom Math loaded"]));
    let family = page.evaluate("getComputedStyle(document.querySelector('#equations math mi')).fontFamily")?;
    assert!(family.as_str().is_some_and(|family| family.starts_with("\"Holonom Math\"")), "{family}");
    // A dot is drawn at the top of its box: room below it is room above the letter.
    let air = "[...document.querySelectorAll('mover[accent] > mo')].every((dot) => parseFloat(getComputedStyle(dot).paddingBottom) >= 0.09 * parseFloat(getComputedStyle(dot).fontSize))";
    assert_eq!(page.evaluate(air)?, true);
    Ok(())
}
