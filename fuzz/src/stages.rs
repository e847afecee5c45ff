//! Every stage a model goes through, with what must hold whatever the model is.

use holonom::language::{
    FileId, Given, Sources, format, from_json, from_text, parse, print, render_all, same_meaning, to_json, tokens,
};
use holonom::mechanics::compile::{CompiledSystem, Group};
use holonom::mechanics::derive::{Equations, derive};
use holonom::picture::{Frames, picture};
use holonom::simulate::analysis;
use holonom::simulate::integrate::{self, Recorded, TableLayout};
use holonom::symbols::expr::{Notation, Style, Symbol};

/// Takes a text through every stage; panics where a promise is broken.
pub fn exercise(text: &str) {
    let _ = tokens(FileId(0), text);
    layout(text);
    let loaded = from_text("model.holo", text);
    let _ = render_all(&loaded.diagnostics, &loaded.sources, false);
    let wrong = loaded.diagnostics.iter().any(holonom::language::Diagnostic::is_error);
    assert_eq!(loaded.model.is_none(), wrong, "a model exactly when nothing is wrong");
    let Some(model) = loaded.model else { return };
    // Large models are the business of other tests; here it is the odd ones that matter.
    if model.coordinates.len() > 60 {
        return;
    }
    let mut equations = match derive(model) {
        Ok(derived) => {
            let _ = render_all(&derived.messages, &loaded.sources, false);
            derived.value
        }
        Err(errors) => {
            let _ = render_all(&errors, &loaded.sources, false);
            return;
        }
    };
    for notation in [Notation::Text, Notation::Unicode, Notation::Latex, Notation::MathMl] {
        let name = |symbol: Symbol| equations.model.symbol_name(symbol);
        let style = Style::new(notation, &name);
        for &id in equations.force.iter().take(4) {
            let _ = equations.graph.print(id, &style);
        }
    }
    let few: Vec<_> = equations.force.iter().copied().take(4).collect();
    let _ = equations.graph.simplify_all(&few, 500);
    let options = analysis::CheckOptions { states: 4, ..analysis::CheckOptions::default() };
    let system = CompiledSystem::new(equations.clone());
    let Given { value: report, messages } = analysis::check(&system, &options);
    let _ = report.to_string();
    let _ = render_all(&messages, &loaded.sources, false);
    let (n, q, v) = (equations.force.len(), report.start.positions, report.start.velocities);
    if q.len() == n && v.len() == n {
        let mut values = system.values(Group::Dynamics);
        system.at(0.0, &q, &v, &mut values);
        draw(&equations, system.parameters(), &q, &v);
    }
    run(&system, &loaded.sources);
}

/// The picture at a state, where the model has one.
fn draw(equations: &Equations, parameters: &[f64], q: &[f64], v: &[f64]) {
    let Some(mut picture) = picture(equations) else { return };
    let mut values = Vec::new();
    let mut frames = Frames::new(&picture, parameters);
    frames.at(0.0, q, v, &mut values);
    let places: Vec<[f64; 3]> = picture.rails.iter().map(|rail| frames.place(rail.point, &values)).collect();
    let mut places = places.into_iter();
    picture.lay_rails(parameters, |_| places.next().map(|[x, y, _]| [x, y]).into_iter().collect());
    picture.lay_slides(parameters, |slide| Some((q[slide.coordinate], q[slide.coordinate] + 1.0)));
    let mut frames = Frames::new(&picture, parameters);
    frames.at(0.0, q, v, &mut values);
    assert_eq!(values.len(), frames.width(), "a frame has as many values as it says");
    let points = picture.shapes.iter().flat_map(|shape| &shape.points);
    points.for_each(|&point| _ = frames.place(point, &values));
}

/// A run of up to two thousand steps: whatever becomes of it, what it records of the motion are numbers.
fn run(system: &CompiledSystem, sources: &Sources) {
    let state = TableLayout::of(system).place(Recorded::IdealForce(0));
    let options = integrate::Run { max_steps: Some(2000), ..integrate::Run::default() };
    let until = system.equations().model.run.until.is_none().then_some(1.0);
    match integrate::plan(system, &integrate::Run { until, ..options }) {
        Ok(planned) => {
            let _ = render_all(&planned.messages, sources, false);
            let outcome = planned.value.run(&mut Few { state, left: 500 });
            let _ = render_all(&outcome.diagnostics, sources, false);
        }
        Err(diagnostics) => _ = render_all(&diagnostics, sources, false),
    }
}

/// Looks at some rows of a run, at their first columns: time, positions, velocities, accelerations.
struct Few {
    state: usize,
    left: usize,
}

impl integrate::Observer for Few {
    fn row(&mut self, values: &[f64]) -> Result<(), std::io::Error> {
        assert!(values[..self.state].iter().all(|x| x.is_finite()), "what is recorded is not a number");
        self.left -= 1;
        if self.left == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

/// Printing a model and reading it back changes nothing, as text and as JSON.
fn layout(text: &str) {
    let (document, diagnostics) = parse(FileId(0), text);
    if diagnostics.iter().any(holonom::language::Diagnostic::is_error) {
        return;
    }
    let Some(laid) = format(&document, text) else { return };
    let (again, _) = parse(FileId(0), &laid);
    assert!(same_meaning(&document, &again), "the layout changes the meaning");
    assert_eq!(format(&again, &laid).as_deref(), Some(laid.as_str()), "laying out twice changes the layout");
    if let Some(json) = to_json(&document) {
        let (back, diagnostics) = from_json(FileId(0), &json);
        assert!(!diagnostics.iter().any(holonom::language::Diagnostic::is_error), "the JSON form cannot be read back");
        assert!(same_meaning(&document, &back), "the JSON form changes the meaning");
    }
    let _ = print(&document);
}
