//! `holonom show model`: what was understood, with every family unrolled and every unit resolved.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use holonom::language::{Expectation, Expected, ForceOn, FrictionLaw, Model, When, to_json};
use holonom::symbols::expr::{Id, Notation, Style, Symbol};
use serde_json::{Value, json};

use super::shown::{finish, loaded};
use crate::setting::Setting;
use crate::terminal::{Colour, say};

/// Print the model with families expanded and units resolved, or its statements as JSON
#[derive(clap::Args)]
pub struct Options {
    /// The model; `-` reads standard input
    file: PathBuf,

    /// Set a parameter: `--set m=3`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Setting>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print the statements of the model as JSON, which every command accepts in place of text
    #[arg(long, conflicts_with = "json")]
    statements: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
}

pub fn run(options: &Options) -> ExitCode {
    let (loaded, shown) = match loaded(&options.file, &options.set, options.json, options.color) {
        Ok(found) => found,
        Err(code) => return code,
    };
    if options.statements {
        say(&(to_json(&loaded.document).unwrap_or_default() + "\n"));
        return ExitCode::SUCCESS;
    }
    let Some(model) = loaded.model else { return ExitCode::from(crate::terminal::WRONG) };
    if options.json {
        return finish(&shown, "model", data(&model));
    }
    say(&page(&model));
    ExitCode::SUCCESS
}

/// The lists of a model: heading, and for each entry its name and what it is.
fn lists(model: &Model) -> Vec<(&'static str, Vec<(String, String)>)> {
    let name = |symbol: Symbol| model.symbol_name(symbol);
    let style = Style::new(Notation::Text, &name);
    let print = |id: Id| model.graph.print(id, &style);
    let vector = |ids: &[Id]| match ids {
        [one] => print(*one),
        many => format!("({})", many.iter().map(|&id| print(id)).collect::<Vec<_>>().join(", ")),
    };
    let list = |ids: &[Id]| format!("[{}]", ids.iter().map(|&id| print(id)).collect::<Vec<_>>().join(", "));
    let on = |on: &ForceOn| match on {
        ForceOn::Coordinate(at) => model.coordinates[*at].name.clone(),
        ForceOn::Point(point) => format!("on {}", vector(point)),
        ForceOn::System => String::new(),
    };
    let components = |on: &ForceOn, ids: &[Id]| match on {
        ForceOn::System => list(ids),
        _ => vector(ids),
    };
    let law = |law: &FrictionLaw| match &law.arguments[..] {
        [] => law.name.to_string(),
        arguments => format!("{}({})", law.name, arguments.iter().map(|&id| print(id)).collect::<Vec<_>>().join(", ")),
    };
    let when = |when: &When| match when {
        When::Becomes(condition) => print(*condition),
        When::Passes(value, direction) => format!("{} {}", print(*value), format!("{direction:?}").to_lowercase()),
        When::Catches(which) => format!("{} catches", model.constraints[*which].name),
        When::LetsGo(which) => format!("{} lets go", model.constraints[*which].name),
    };
    let claim = |expectation: &Expectation| {
        let start = if expectation.at_start { "at start " } else { "" };
        match &expectation.claim {
            Expected::Equal(left, right) => format!("{start}{} = {}", vector(left), vector(right)),
            Expected::Constant(value) => format!("{start}constant {}", vector(value)),
            Expected::AtMost(left, right) => {
                let each = left.iter().zip(right).map(|(&a, &b)| format!("{} <= {}", print(a), print(b)));
                format!("{start}{}", each.collect::<Vec<_>>().join(" and "))
            }
            Expected::True(condition) => format!("{start}{}", print(*condition)),
        }
    };
    let unit = |dimension: holonom::language::units::Dimension| {
        if dimension.is_number() { String::new() } else { format!(" {dimension}") }
    };
    let terms = |terms: &[holonom::language::Term]| -> Vec<(String, String)> {
        terms.iter().map(|term| (String::new(), print(term.value))).collect()
    };
    vec![
        (
            "parameter",
            model
                .parameters
                .iter()
                .map(|p| (p.name.clone(), format!("{}{}", print(p.value), unit(p.dimension))))
                .collect(),
        ),
        (
            "coordinate",
            model.coordinates.iter().map(|c| (c.name.clone(), unit(c.dimension).trim().to_string())).collect(),
        ),
        (
            "function",
            model
                .functions
                .iter()
                .map(|f| {
                    let arguments = f.function.arguments.join(", ");
                    (format!("{}({arguments})", f.function.name), unit(f.dimension).trim().to_string())
                })
                .collect(),
        ),
        (
            "particle",
            model
                .particles
                .iter()
                .map(|p| (p.name.clone(), format!("{} at {}", print(p.mass), vector(&p.position))))
                .collect(),
        ),
        ("kinetic", terms(&model.kinetic)),
        ("potential", terms(&model.potential)),
        ("lagrangian", terms(&model.lagrangian)),
        ("dissipation", terms(&model.dissipation)),
        ("gravity", model.gravity.iter().map(|g| (String::new(), vector(g))).collect()),
        (
            "constraint",
            model
                .constraints
                .iter()
                .map(|c| {
                    let options = match c.side {
                        None if c.off => ", off".to_string(),
                        None => String::new(),
                        Some(side) => {
                            let off = if side.disabled { ", off" } else { "" };
                            format!(", restitution = {}{off}", print(side.restitution))
                        }
                    };
                    let sign = c.sign();
                    (c.name.clone(), format!("{} {sign} {}{options}", vector(&c.left), vector(&c.right)))
                })
                .collect(),
        ),
        ("mass", model.mass.iter().map(|m| (String::new(), list(&m.entries))).collect()),
        ("force", model.forces.iter().map(|f| (on(&f.on), components(&f.on, &f.components))).collect()),
        (
            "nonideal",
            model
                .nonideals
                .iter()
                .map(|c| {
                    let constraint = c.constraint.map_or(String::new(), |at| model.constraints[at].name.clone());
                    (format!("{constraint} {}", on(&c.on)).trim().to_string(), components(&c.on, &c.components))
                })
                .collect(),
        ),
        (
            "friction",
            model.frictions.iter().map(|f| (model.constraints[f.constraint].name.clone(), law(&f.law))).collect(),
        ),
        (
            "free",
            model
                .free
                .iter()
                .map(|f| {
                    (model.symbol_name(Symbol::Acceleration(f.coordinate as u32)), format!("= {}", print(f.value)))
                })
                .chain(model.free_zero.iter().map(|_| (String::new(), "zero".to_string())))
                .collect(),
        ),
        ("hidden", model.hidden.iter().map(|_| (String::new(), "find".to_string())).collect()),
        (
            "start",
            model
                .start
                .iter()
                .map(|s| {
                    let sign = if s.guess { "~" } else { "=" };
                    (model.symbol_name(s.symbol), format!("{sign} {}", print(s.value)))
                })
                .collect(),
        ),
        ("output", model.outputs.iter().map(|o| (o.name.clone(), vector(&o.components))).collect()),
        ("event", model.events.iter().map(|e| (e.name.clone(), when(&e.when))).collect()),
        ("expect", model.expects.iter().map(|e| (String::new(), claim(e))).collect()),
        ("run", model.run.until.iter().map(|&until| (String::new(), format!("until {}", print(until)))).collect()),
    ]
}

fn page(model: &Model) -> String {
    let mut text = String::new();
    if let Some(title) = &model.title {
        let _ = writeln!(text, "{title}");
    }
    for (heading, entries) in lists(model) {
        let width = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in entries {
            let line = match (name.is_empty(), value.is_empty()) {
                (true, _) => format!("{heading:<12} {value}"),
                (false, true) => format!("{heading:<12} {name}"),
                _ => format!("{heading:<12} {name:<width$}  {value}"),
            };
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    let _ = writeln!(text, "units        {}", if model.has_units { "checked" } else { "none given, not checked" });
    text
}

fn data(model: &Model) -> Value {
    let mut data = serde_json::Map::new();
    data.insert("title".to_string(), json!(model.title));
    data.insert("units".to_string(), json!(model.has_units));
    for (heading, entries) in lists(model) {
        let entries: Vec<Value> = entries
            .into_iter()
            .map(|(name, value)| if name.is_empty() { json!(value) } else { json!({"name": name, "value": value}) })
            .collect();
        data.insert(heading.to_string(), Value::Array(entries));
    }
    let families: Vec<Value> = model
        .families
        .iter()
        .map(|family| {
            json!({
                "kind": format!("{:?}", family.kind).to_lowercase(),
                "name": family.name,
                "indices": family.members.iter().map(|(indices, _)| indices).collect::<Vec<_>>(),
            })
        })
        .collect();
    data.insert("families".to_string(), Value::Array(families));
    Value::Object(data)
}
