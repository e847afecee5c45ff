//! A state in words, `x = 1, x' = 0`: values for symbols of a model, each an expression of its parameters.

use holonom_language::units::Dimension;
use holonom_language::{Diagnostic, Loaded, Model, Span, StartValue, from_text};
use holonom_mechanics::compile::CompiledSystem;
use holonom_mechanics::derive::Equations;
use holonom_symbols::expr::{Id, Symbol};

/// What is wrong with a value of a state.
fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("bad-state", message)
}

/// Reads values, and puts them into the graph of the equations.
pub(crate) fn read(text: &str, equations: &mut Equations) -> Result<Vec<(Symbol, Id)>, Box<Diagnostic>> {
    let mut values = Vec::new();
    for item in text.split(',').filter(|item| !item.trim().is_empty()) {
        let (name, value) = item.split_once('=').ok_or_else(|| {
            wrong(format!("`{}` is not a value", item.trim())).help("write NAME = VALUE, such as `x = 1, x' = 0`")
        })?;
        let name = name.trim();
        let symbol = symbol(name, &equations.model)?;
        if values.iter().any(|(known, _)| *known == symbol) {
            return Err(wrong(format!("`{name}` is given twice")).into());
        }
        let dimension = dimension(symbol, &equations.model);
        values.push((symbol, expression(value.trim(), (name, dimension), equations)?));
    }
    Ok(values)
}

/// Makes values the start of the equations, and says at which time. Where a position or the time is given, the other positions
/// of the start become guesses, so that they follow from the constraints, as near to the start as these allow. So do velocities where one is given.
pub(crate) fn move_start(text: &str, equations: &mut Equations) -> Result<f64, Box<Diagnostic>> {
    let values = read(text, equations)?;
    let mut time = 0.0;
    let gives = |test: fn(Symbol) -> bool| values.iter().any(|(symbol, _)| test(*symbol));
    let moved = gives(|symbol| matches!(symbol, Symbol::Position(_) | Symbol::Time));
    let hurried = gives(|symbol| matches!(symbol, Symbol::Velocity(_)));
    for start in &mut equations.model.start {
        start.guess |= match start.symbol {
            Symbol::Velocity(_) => hurried,
            _ => moved,
        };
    }
    for (symbol, value) in values {
        match symbol {
            Symbol::Time => {
                let system = CompiledSystem::new(equations.clone());
                let parameter = |symbol| match symbol {
                    Symbol::Parameter(i) => system.parameters().get(i as usize).copied().unwrap_or(f64::NAN),
                    _ => f64::NAN,
                };
                time = equations.graph.evaluate(&[value], parameter)[0];
                if !time.is_finite() {
                    return Err(wrong("the time is not a number").into());
                }
            }
            Symbol::Parameter(i) => {
                let name = &equations.model.parameters[i as usize].name;
                return Err(wrong(format!("these are values of a state, and `{name}` is a parameter"))
                    .help(format!("set `{name}` as a parameter instead"))
                    .into());
            }
            _ => {
                let span = place(symbol, &equations.model);
                equations.model.start.retain(|start| start.symbol != symbol);
                equations.model.start.push(StartValue { symbol, value, guess: false, is_placed: false, span });
            }
        }
    }
    Ok(time)
}

/// Where messages about a value point to: its start value in the model, or the coordinate.
fn place(symbol: Symbol, model: &Model) -> Span {
    let (Symbol::Position(i) | Symbol::Velocity(i)) = symbol else { return Span::default() };
    let said = model.start.iter().find(|start| start.symbol == symbol).map(|start| start.span);
    said.or(model.coordinates.get(i as usize).map(|coordinate| coordinate.span)).unwrap_or_default()
}

/// A coordinate, its velocity, a parameter, or time.
fn symbol(name: &str, model: &Model) -> Result<Symbol, Box<Diagnostic>> {
    let place = |name: &str| model.coordinates.iter().position(|coordinate| coordinate.name == name);
    if name == "t" {
        return Ok(Symbol::Time);
    }
    if let Some(i) = place(name) {
        return Ok(Symbol::Position(i as u32));
    }
    if let Some(i) = name.strip_suffix('\'').and_then(place) {
        return Ok(Symbol::Velocity(i as u32));
    }
    if let Some(i) = model.parameters.iter().position(|parameter| parameter.name == name) {
        return Ok(Symbol::Parameter(i as u32));
    }
    Err(wrong(format!("there is no `{name}`"))
        .help("coordinates, their velocities such as x', parameters and t can have values")
        .into())
}

/// What values of a symbol are measured in.
fn dimension(symbol: Symbol, model: &Model) -> Dimension {
    match symbol {
        Symbol::Position(i) => model.coordinates[i as usize].dimension,
        Symbol::Velocity(i) => {
            model.coordinates[i as usize].dimension.over(Dimension::TIME).unwrap_or(Dimension::NUMBER)
        }
        Symbol::Parameter(i) => model.parameters[i as usize].dimension,
        _ => Dimension::TIME,
    }
}

/// A small model with a value in it, with or without units.
fn model_around(text: &str, known: &[(&String, Dimension)], units: bool) -> Loaded {
    let mut around = String::new();
    for (name, dimension) in known {
        let unit = if units && !dimension.is_number() { format!(" {dimension}") } else { String::new() };
        around += &format!("param {name} = 1{unit}\n");
    }
    let (length, mass) = if units { (": m", "1 kg * ") } else { ("", "") };
    let rest = format!("coord holonom_x{length}\nkinetic {mass}holonom_x'^2/2\noutput holonom_value: {text}\n");
    from_text("value", &(around + &rest))
}

/// A value: an expression of numbers and parameters, as a model would have it.
fn expression(
    text: &str,
    (aim, dimension): (&str, Dimension),
    equations: &mut Equations,
) -> Result<Id, Box<Diagnostic>> {
    let unclear = |why: &str| Box::new(wrong(format!("`{text}` is not a value: {why}")));
    if text.is_empty() || text.contains(['\n', '\r', '#', '\'', '"', ':']) {
        return Err(unclear("write a number or an expression of parameters"));
    }
    let parameters: Vec<(String, Dimension)> =
        equations.model.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.dimension)).collect();
    let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let known: Vec<(&String, Dimension)> =
        parameters.iter().filter(|(name, _)| plain(name)).map(|(name, dimension)| (name, *dimension)).collect();
    // With the units of the model where the value has some, and with none otherwise.
    let mut loaded = model_around(text, &known, false);
    if loaded.model.is_none() && equations.model.has_units {
        loaded = model_around(text, &known, true);
    }
    let Some(model) = &loaded.model else {
        if !equations.model.has_units && model_around(text, &known, true).model.is_some() {
            return Err(unclear("the model has no units; write the number alone"));
        }
        let message = loaded.errors().next().map_or("it cannot be read", |error| &error.message);
        return Err(unclear(message));
    };
    let Some(value) = model.outputs.first().and_then(|output| output.components.first()).copied() else {
        return Err(unclear("it is empty"));
    };
    if model.has_units && model.outputs.first().is_some_and(|output| output.dimension != dimension) {
        return Err(unclear(&format!("`{aim}` is measured in `{dimension}`")));
    }
    if !model.graph.depends(value).is_fixed() {
        return Err(unclear("only numbers and parameters may occur"));
    }
    let copy = equations.graph.copy_from(&model.graph, &[value])[0];
    let place = |name: &String| parameters.iter().position(|(other, _)| other == name);
    let places: Vec<Option<usize>> = known.iter().map(|(name, _)| place(name)).collect();
    let symbols: Vec<Option<Id>> = places
        .into_iter()
        .map(|place| place.map(|place| equations.graph.symbol(Symbol::Parameter(place as u32))))
        .collect();
    let meant = |symbol: Symbol| match symbol {
        Symbol::Parameter(i) => symbols.get(i as usize).copied().flatten(),
        _ => None,
    };
    Ok(equations.graph.substitute(&[copy], meant)[0])
}
