//! A document → JSON.

use super::super::format::{print, print_expression, print_family, print_target, print_unit};
use super::super::syntax::*;
use super::object::{expr, flag, list, members, object, options, placed, target};
use super::value::quote;

/// The JSON form of a model, a statement per line. Nothing if some of the document could not be read.
pub fn to_json(document: &Document) -> Option<String> {
    print(document)?;
    let statements = statements(&document.statements, 4)?;
    Some(format!("{{\n  \"holonom\": 1,\n  \"statements\": {statements}\n}}\n"))
}

fn statements(statements: &[Statement], indent: usize) -> Option<String> {
    if statements.is_empty() {
        return Some("[]".to_string());
    }
    let mut lines = Vec::new();
    for Statement { kind, .. } in statements {
        let (keyword, value) = statement(kind, indent)?;
        lines.push(format!("{:indent$}{{{}: {value}}}", "", quote(keyword)));
    }
    Some(format!("[\n{}\n{:outer$}]", lines.join(",\n"), "", outer = indent - 2))
}

fn run(items: &[RunItem]) -> String {
    members(items.iter().map(run_item).collect())
}

fn run_item(item: &RunItem) -> (&str, String) {
    match item {
        RunItem::Until(value) => ("until", expr(value)),
        RunItem::Every(value) => ("every", expr(value)),
        RunItem::At(value) => ("at", expr(value)),
        RunItem::Setting(Setting { name, value, .. }) => match name.text.as_str() {
            word @ ("until" | "every" | "at" | "settings") => ("settings", object().with(word, expr(value)).end()),
            name => (name, expr(value)),
        },
    }
}

fn definition(item: &Definition) -> String {
    let names = |names: &Vec<Ident>| list(names, |name| quote(&name.text));
    let arguments = Some(&item.arguments).filter(|arguments| !arguments.is_empty()).map(names);
    object().with("name", target(&item.target)).with("arguments", arguments).with("value", expr(&item.value)).end()
}

fn start(item: &StartItem) -> String {
    let key = if item.guess { "guess" } else { "value" };
    object().with("name", target(&item.target)).with(key, expr(&item.value)).end()
}

fn constraint(item: &ConstraintItem) -> String {
    let (left, right) = (print_expression(&item.left), print_expression(&item.right));
    let equation = quote(&format!("{left} {} {right}", item.sign.text()));
    let named = object().with("name", target(&item.target)).with("equation", equation);
    named.with("restitution", item.restitution.as_ref().map(expr)).with("off", flag(item.off)).end()
}

fn stop(item: &StopItem) -> String {
    let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
    let limited = named.with("low", expr(&item.low)).with("high", expr(&item.high));
    limited.with("restitution", item.restitution.as_ref().map(expr)).with("off", flag(item.off)).end()
}

fn body(item: &BodyItem) -> String {
    let shaped = object().with("name", target(&item.target)).with("shape", item.shape.as_ref().map(expr));
    let given = shaped.with("of", item.mass.as_ref().map(expr)).with("options", options(&item.options));
    placed(given, &item.placement).end()
}

fn joint(item: &JointItem) -> String {
    let named = object().with("name", target(&item.target)).with("kind", quote(&item.kind.text));
    let mut joint = named.with("ends", list(&item.ends, expr)).with("at", item.at.as_ref().map(expr));
    if let Some((from, to)) = &item.along {
        joint = joint.with("from", expr(from)).with("to", expr(to));
    }
    let axis = match &item.axis[..] {
        [] => None,
        [one] => Some(expr(one)),
        several => Some(list(several, expr)),
    };
    let joint = joint.with("axis", axis).with("options", options(&item.options));
    joint.with("off", flag(item.off)).with("cut", flag(item.cut)).end()
}

fn forces(items: &[ForceItem]) -> String {
    let on = |item: &ForceItem| {
        item.on.as_ref().map(|on| match on {
            ForceTarget::Named(named) => target(named),
            ForceTarget::Point(point) => expr(point),
        })
    };
    list(items, |item| object().with("on", on(item)).with("value", expr(&item.value)).end())
}

fn element(item: &ElementItem) -> String {
    let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
    named.with("options", options(&item.options)).end()
}

fn statement(kind: &StatementKind, indent: usize) -> Option<(&'static str, String)> {
    let energies = |items: &Vec<Expr>| list(items, expr);
    Some(match kind {
        StatementKind::Title(title) => ("title", quote(title)),
        StatementKind::Param(items) => ("param", list(items, definition)),
        StatementKind::Let(items) => ("let", list(items, definition)),
        StatementKind::Coord(items) => {
            let unit = |item: &CoordItem| item.unit.as_ref().map(|unit| quote(&print_unit(unit)));
            let item = |item: &CoordItem| object().with("name", target(&item.target)).with("unit", unit(item)).end();
            ("coord", list(items, item))
        }
        StatementKind::Table(items) => {
            let item = |item: &TableItem| {
                let named = object().with("name", target(&item.target)).with("path", quote(&item.path.text));
                named.with("options", options(&item.options)).end()
            };
            ("table", list(items, item))
        }
        StatementKind::Function(items) => {
            let unit = |item: &FunctionItem| item.unit.as_ref().map(|unit| quote(&print_unit(unit)));
            let item = |item: &FunctionItem| {
                let named = object().with("name", target(&item.target)).with("arguments", list(&item.arguments, expr));
                named.with("unit", unit(item)).end()
            };
            ("function", list(items, item))
        }
        StatementKind::Kinetic(items) => ("kinetic", energies(items)),
        StatementKind::Potential(items) => ("potential", energies(items)),
        StatementKind::Lagrangian(items) => ("lagrangian", energies(items)),
        StatementKind::Dissipation(items) => ("dissipation", energies(items)),
        StatementKind::Gravity(value) => ("gravity", expr(value)),
        StatementKind::Mass(value) => ("mass", expr(value)),
        StatementKind::Particle(items) => {
            let item = |item: &ParticleItem| {
                let named = object().with("name", target(&item.target)).with("mass", expr(&item.mass));
                match &item.place {
                    ParticlePlace::At(point) => named.with("at", expr(point)),
                    ParticlePlace::Plane(_) => named.with("in", quote("plane")),
                    ParticlePlace::Space(_) => named.with("in", quote("space")),
                }
                .end()
            };
            ("particle", list(items, item))
        }
        StatementKind::Body(item) => ("body", body(item)),
        StatementKind::Frame(item) => {
            let named = object().with("name", target(&item.target)).with("on", expr(&item.on));
            ("frame", placed(named, &item.placement).end())
        }
        StatementKind::Joint(item) => ("joint", joint(item)),
        StatementKind::Drive(item) => {
            let named = object().with("name", target(&item.target)).with("value", expr(&item.value));
            ("drive", named.with("motion", expr(&item.motion)).with("off", flag(item.off)).end())
        }
        StatementKind::Spring(item) => ("spring", element(item)),
        StatementKind::Damper(item) => ("damper", element(item)),
        StatementKind::Formulation(word) => ("formulation", quote(&word.text)),
        StatementKind::Force(items) => ("force", forces(items)),
        StatementKind::Torque(items) => ("torque", forces(items)),
        StatementKind::Constraint(item) => ("constraint", constraint(item)),
        StatementKind::Stop(item) => ("stop", stop(item)),
        StatementKind::Connect(item) => ("connect", constraint(item)),
        StatementKind::Nonideal(item) => {
            let of = object().with("constraint", item.target.as_ref().map(target));
            ("nonideal", of.with("on", item.on.as_ref().map(expr)).with("value", expr(&item.value)).end())
        }
        StatementKind::Friction(item) => {
            let of = object().with("constraint", target(&item.target)).with("law", expr(&item.law));
            ("friction", of.with("options", options(&item.options)).end())
        }
        StatementKind::Hidden => ("hidden", quote("find")),
        StatementKind::Free(items) if items.is_empty() => ("free", quote("zero")),
        StatementKind::Free(items) => ("free", list(items, start)),
        StatementKind::Start(items) => ("start", list(items, start)),
        StatementKind::Assemble => ("assemble", "true".to_string()),
        StatementKind::Run(items) => ("run", run(items)),
        StatementKind::Output(items) => {
            let item =
                |item: &OutputItem| object().with("name", target(&item.target)).with("value", expr(&item.value)).end();
            ("output", list(items, item))
        }
        StatementKind::Event(item) => {
            let when = match &item.condition {
                Condition::Becomes(condition) => print_expression(condition),
                Condition::Passes(value, Direction::Rises) => format!("{} rises", print_expression(value)),
                Condition::Passes(value, Direction::Falls) => format!("{} falls", print_expression(value)),
                Condition::Passes(value, Direction::Crosses) => format!("{} crosses", print_expression(value)),
                Condition::Contact(name, change) => format!("{} {}", print_expression(name), change.text()),
            };
            let named = object().with("name", target(&item.target)).with("when", quote(&when));
            ("event", named.with("then", list(&item.actions, |then| quote(&action(then)))).end())
        }
        StatementKind::Expect(items) => ("expect", list(items, expect)),
        StatementKind::Draw(item) => {
            let family = Some(&item.binders).filter(|binders| !binders.is_empty());
            let family = family.map(|binders| quote(&print_family(binders, item.condition.as_ref())));
            let shape = object().with("for", family).with("shape", quote(&item.shape.text));
            ("draw", shape.with("arguments", list(&item.arguments, expr)).with("options", options(&item.options)).end())
        }
        StatementKind::Part(item) => {
            let named = object().with("name", target(&item.target));
            let with = Some(&item.with).filter(|with| !with.is_empty()).map(|with| list(with, definition));
            let part = match &item.source {
                PartSource::File(path) => {
                    placed(named.with("path", quote(&path.text)).with("with", with), &item.placement)
                }
                PartSource::Inline(inner) => {
                    placed(named.with("with", with), &item.placement).with("statements", statements(inner, indent + 4)?)
                }
            };
            ("part", part.end())
        }
        StatementKind::Broken => return None,
    })
}

fn action(action: &Action) -> String {
    match action {
        Action::Stop(_) => "stop".to_string(),
        Action::Record(_) => "record".to_string(),
        Action::Drop(target) => format!("drop {}", print_target(target)),
        Action::Add(target) => format!("add {}", print_target(target)),
        Action::Set(item) => {
            let sign = if item.guess { "~" } else { "=" };
            format!("set {} {sign} {}", print_target(&item.target), print_expression(&item.value))
        }
        Action::Impact { target, restitution: None, .. } => format!("impact {}", print_target(target)),
        Action::Impact { target, restitution: Some(value), .. } => {
            format!("impact {}, restitution = {}", print_target(target), print_expression(value))
        }
    }
}

fn expect(item: &ExpectItem) -> String {
    let named = object().with("name", item.target.as_ref().map(target)).with("at_start", flag(item.at_start));
    match &item.claim {
        Claim::Equal(left, right) => {
            named.with("claim", quote(&format!("{} = {}", print_expression(left), print_expression(right))))
        }
        Claim::True(claim) => named.with("claim", expr(claim)),
        Claim::Constant(value) => named.with("constant", expr(value)),
    }
    .with("within", item.within.as_ref().map(expr))
    .end()
}
