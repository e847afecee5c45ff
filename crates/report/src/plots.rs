//! Which plots there are.

use crate::series::Series;
use holonom::mechanics::compile::CompiledSystem;

/// A plot holds at most so many lines; more go into further ones.
const LINES: usize = 8;
/// Phase plots are made for so many coordinates.
const PHASES: usize = 6;
/// Beyond this many plots of a kind the others are left out: nobody opens them, and the table has the numbers.
const PLOTS: usize = 12;

/// A plot: which lines of a [`Series`], and how.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSpec {
    /// Its name in addresses.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What runs along: time, or the first quantity of a phase plot.
    pub x: usize,
    /// What is shown.
    pub y: Vec<usize>,
    /// On a logarithmic scale.
    pub log: bool,
    /// The unit that all of them share.
    pub unit: Option<String>,
    /// Something to be said about it.
    pub note: Option<&'static str>,
    /// Whether it is unfolded at first.
    pub open: bool,
}

/// A kind of plots on its way.
struct Kind<'a> {
    id: &'a str,
    title: &'a str,
    names: Vec<String>,
    log: bool,
    open: bool,
    note: Option<&'static str>,
}

/// The plots of a run, the most telling first.
pub(crate) fn plots(system: &CompiledSystem, series: &Series) -> Vec<PlotSpec> {
    let model = &system.equations().model;
    let rows = &system.equations().rows;
    let coordinates = |form: &dyn Fn(&str) -> String| model.coordinates.iter().map(|c| form(&c.name)).collect();
    let of_rows = |kind: &str| rows.iter().map(|row| format!("{kind}.{}", row.name)).collect::<Vec<_>>();
    let works = series.tracks.iter().filter(|track| track.name.starts_with("work."));
    let outputs = model.outputs.iter().flat_map(|output| match output.components.len() {
        1 => vec![output.name.clone()],
        many => (1..=many).map(|which| format!("{}.{which}", output.name)).collect(),
    });
    let mut energies = ["kinetic", "potential", "energy"].map(String::from).to_vec();
    energies.extend(works.map(|track| track.name.clone()));
    let mut plots = Vec::new();
    let mut kind = |kind: Kind| plots.extend(of_kind(series, &kind));
    // What was asked for comes first.
    kind(Kind { id: "outputs", title: "Outputs", names: outputs.collect(), log: false, open: true, note: None });
    kind(Kind {
        id: "coordinates",
        title: "Coordinates",
        names: coordinates(&str::to_string),
        log: false,
        open: true,
        note: None,
    });
    kind(Kind {
        id: "velocities",
        title: "Velocities",
        names: coordinates(&|x| format!("{x}'")),
        log: false,
        open: true,
        note: None,
    });
    let mut forces: Vec<String> = Vec::new();
    for coordinate in &model.coordinates {
        forces.extend(["Q", "Qi", "Qni"].map(|kind| format!("{kind}.{}", coordinate.name)));
    }
    let split = "Q impressed, Qᵢ of ideal constraints, Qₙᵢ of what is not ideal in them: M q̈ = Q + Qᵢ + Qₙᵢ.";
    kind(Kind { id: "forces", title: "Forces", names: forces, log: false, open: true, note: Some(split) });
    let mut loads = of_rows("multiplier");
    // Where nothing is ideal but the constraints, reactions are multipliers.
    let place = |name: &String| series.place(name);
    let values = |names: &[String]| -> Vec<&[f64]> {
        names.iter().filter_map(place).map(|at| &series.tracks[at].values[..]).collect()
    };
    let reactions = of_rows("reaction");
    let split = values(&loads) != values(&reactions);
    if split {
        loads = loads.into_iter().zip(reactions).flat_map(|(ideal, total)| [ideal, total]).collect();
    }
    let note = if split { "λᵢ if all constraints were ideal, λ in all." } else { "Qᵢ = Aᵀλᵢ." };
    kind(Kind {
        id: "constraints",
        title: "Multipliers of constraints",
        names: loads,
        log: false,
        open: true,
        note: Some(note),
    });
    kind(Kind { id: "energy", title: "Energy and work", names: energies, log: false, open: true, note: None });
    let drift = ["residual.position", "residual.velocity"].map(String::from).to_vec();
    let note = "How far the constraints are from being met, as a part of their own size; zeros are not shown.";
    kind(Kind { id: "drift", title: "Drift", names: drift, log: true, open: true, note: Some(note) });
    // Absent, unless they were asked for.
    if series.place("virtual.C").is_some() {
        let gauss = ["Gni", "G"].map(String::from).to_vec();
        let mut virtual_work = of_rows("virtual");
        virtual_work.push("virtual.C".to_string());
        for (id, title, names, note) in [
            ("principles", "Gauss's function at the motion", gauss, "No other possible acceleration has less."),
            ("principles-da", "Deviation Δa", coordinates(&|x| format!("da.{x}")), "q̈ − a, with a = M⁻¹Q."),
            (
                "principles-e",
                "Error e of the free motion",
                of_rows("e"),
                "b − A a: Δa = K₁e where constraints are ideal.",
            ),
            (
                "principles-virtual",
                "Virtual work per second",
                virtual_work,
                "Of the force of each row, and of C, along (I − A⁺A)q̇.",
            ),
        ] {
            kind(Kind { id, title, names, log: false, open: true, note: Some(note) });
        }
    }
    for coordinate in model.coordinates.iter().take(PHASES) {
        let (x, y) = (series.place(&coordinate.name), series.place(&format!("{}'", coordinate.name)));
        if let (Some(x), Some(y)) = (x, y) {
            let title = format!("{} over {}", series.tracks[y].label, series.tracks[x].label);
            let unit = series.tracks[y].unit.clone();
            let id = format!("phase-{}", coordinate.name);
            plots.push(PlotSpec { id, title, x, y: vec![y], log: false, unit, note: None, open: false });
        }
    }
    let mut kind = |kind: Kind| plots.extend(of_kind(series, &kind));
    kind(Kind {
        id: "accelerations",
        title: "Accelerations",
        names: coordinates(&|x| format!("{x}''")),
        log: false,
        open: false,
        note: None,
    });
    plots
}

/// Plots of some quantities: one for each unit, none with too many lines. What is always zero is left out, unless all is.
fn of_kind(series: &Series, kind: &Kind) -> Vec<PlotSpec> {
    let mut places: Vec<usize> = kind.names.iter().filter_map(|name| series.place(name)).collect();
    if places.iter().any(|&place| !series.vanishes(place)) {
        places.retain(|&place| !series.vanishes(place));
    } else if kind.log {
        // On a logarithmic scale there would be nothing to see.
        return Vec::new();
    } else {
        places.truncate(LINES);
    }
    let mut units: Vec<Option<String>> = Vec::new();
    for &place in &places {
        if !units.contains(&series.tracks[place].unit) {
            units.push(series.tracks[place].unit.clone());
        }
    }
    let mut plots = Vec::new();
    for unit in &units {
        let same: Vec<usize> = places.iter().copied().filter(|&place| series.tracks[place].unit == *unit).collect();
        let parts = same.len().div_ceil(LINES).max(1);
        for (which, y) in same.chunks(same.len().div_ceil(parts).max(1)).enumerate() {
            let mut title = kind.title.to_string();
            if parts > 1 {
                let label = |place: Option<&usize>| place.map_or("", |&place| &series.tracks[place].label);
                title += &format!(": {} to {}", label(y.first()), label(y.last()));
            }
            let id = if plots.is_empty() { kind.id.to_string() } else { format!("{}-{}", kind.id, plots.len() + 1) };
            let (unit, open, note) = (unit.clone(), kind.open && which == 0, kind.note.filter(|_| plots.is_empty()));
            plots.push(PlotSpec { id, title, x: 0, y: y.to_vec(), log: kind.log, unit, note, open });
        }
    }
    plots.truncate(PLOTS);
    plots
}
