//! The models of the papers' examples, as the gallery has them, and states to try formulas at.

use std::sync::OnceLock;

use holonom::explain::explicit::{self, Solution, Steps};
use holonom::language::syntax::{Expr, ExprKind, PartSource, StatementKind, Unit};
use holonom::language::{Model, NoFiles, Sources, from_document, parse};
use holonom::mechanics::derive::{Equations, derive};
use holonom::symbols::algebra::Budget;
use holonom::symbols::expr::{Id, Symbol};
use holonom_random::Random;

/// An example of a paper as a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scene {
    Wheel,
    VirtualParticle,
    TwoMasses,
    /// m₁ = 0 with (5.40) written out.
    MasslessFirst,
    /// The same without (5.40).
    MasslessFirstOpen,
    /// The same with (5.40) found by the program.
    MasslessFirstFound,
    /// m₂ = 0 with (5.49) written out.
    MasslessSecond,
    MasslessSecondOpen,
    MasslessSecondFound,
    Bead,
    Appell,
    /// The constraint divided by two, as the paper differentiates it.
    AppellHalved,
    AppellBreathing,
    AppellHomogeneous,
    BlockSmooth,
    BlockRough,
}

/// Work that a closed form may cost; those of the papers take a hundredth of it.
const WORK: u64 = 200_000_000;
/// How many scenes there are.
const SCENES: usize = Scene::BlockRough as usize + 1;

/// A model of the gallery.
macro_rules! gallery {
    ($path:literal) => {
        include_str!(concat!("../../../gallery/", $path))
    };
}

/// A text with one piece of it put differently.
fn altered(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the gallery no longer says `{from}`");
    text.replace(from, to)
}

impl Scene {
    /// The file in the gallery.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Wheel => "gallery/wheel/wheel.holo",
            Self::VirtualParticle => "gallery/virtual-particle/virtual-particle.holo",
            Self::TwoMasses => "gallery/two-masses/two-masses.holo",
            Self::MasslessFirst => "gallery/massless-first/by-hand.holo",
            Self::MasslessFirstOpen | Self::MasslessFirstFound => "gallery/massless-first/massless-first.holo",
            Self::MasslessSecond => "gallery/massless-second/by-hand.holo",
            Self::MasslessSecondOpen | Self::MasslessSecondFound => "gallery/massless-second/massless-second.holo",
            Self::Bead => "gallery/bead/bead.holo",
            Self::Appell | Self::AppellHalved => "gallery/appell/appell.holo",
            Self::AppellBreathing => "gallery/appell/breathing.holo",
            Self::AppellHomogeneous => "gallery/appell/homogeneous.holo",
            Self::BlockSmooth => "gallery/block/smooth.holo",
            Self::BlockRough => "gallery/block/by-hand.holo",
        }
    }

    /// The model; where the gallery turns a constraint round or doubles it, as the paper has it.
    fn text(self) -> String {
        let turned = |text: &str| altered(text, "joint: q1 = x1 + l", "joint: x1 + l = q1");
        // A g whose rate changes with time, as the paper's may.
        let moving = |text: &str| altered(text, "g = 2*t - 11.5", "g = sin(t) - 3");
        let open = |text: &str| altered(text, "\nhidden     find", "\n#");
        match self {
            Self::Wheel => gallery!("wheel/wheel.holo").into(),
            Self::VirtualParticle => gallery!("virtual-particle/virtual-particle.holo").into(),
            Self::TwoMasses => gallery!("two-masses/two-masses.holo").into(),
            Self::MasslessFirst => turned(gallery!("massless-first/by-hand.holo")),
            Self::MasslessFirstFound => gallery!("massless-first/massless-first.holo").into(),
            Self::MasslessFirstOpen => open(gallery!("massless-first/massless-first.holo")),
            Self::MasslessSecond => turned(gallery!("massless-second/by-hand.holo")),
            Self::MasslessSecondFound => gallery!("massless-second/massless-second.holo").into(),
            Self::MasslessSecondOpen => open(gallery!("massless-second/massless-second.holo")),
            Self::Bead => gallery!("bead/bead.holo").into(),
            Self::Appell => format!("{}\nlet rate = alpha*g'\n", moving(gallery!("appell/appell.holo"))),
            Self::AppellHalved => altered(
                &moving(gallery!("appell/appell.holo")),
                "x'^2 + y'^2 - z'^2 = 2*alpha*g",
                "(x'^2 + y'^2 - z'^2)/2 = alpha*g",
            ),
            Self::AppellBreathing => format!("{}\nlet rate = g'\n", gallery!("appell/breathing.holo")),
            Self::AppellHomogeneous => format!("{}\nlet rate = 0\n", gallery!("appell/homogeneous.holo")),
            Self::BlockSmooth => gallery!("block/smooth.holo").into(),
            Self::BlockRough => gallery!("block/by-hand.holo").into(),
        }
    }

    /// What follows from the constraints, in the order in which it follows.
    fn follows(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Wheel | Self::VirtualParticle => &[("y", "R*theta*sin(alpha)"), ("y'", "R*theta'*sin(alpha)")],
            Self::TwoMasses => &[("two.q1", "one.x + one.d"), ("two.q1'", "one.x'")],
            Self::MasslessFirst | Self::MasslessFirstOpen | Self::MasslessFirstFound => {
                &[("q1", "x1 + l"), ("q1'", "x1'"), ("q2", "k1*x1/k2"), ("q2'", "k1*x1'/k2")]
            }
            Self::MasslessSecond | Self::MasslessSecondOpen | Self::MasslessSecondFound => {
                &[("q1", "x1 + l"), ("q1'", "x1'"), ("q2", "0"), ("q2'", "0")]
            }
            Self::Bead => &[("x2", "k*x1"), ("x2'", "k*x1'")],
            Self::Appell | Self::AppellHalved => &[("z'", "sqrt(x'^2 + y'^2 - 2*alpha*g)")],
            Self::AppellBreathing => &[("z'", "sqrt(x'^2 + y'^2 - 2*g)")],
            Self::AppellHomogeneous => &[("z'", "-sqrt(x'^2 + y'^2)")],
            Self::BlockSmooth | Self::BlockRough => &[("y", "x*tan(theta)"), ("y'", "x'*tan(theta)")],
        }
    }

    /// The mass that is zero in this example.
    fn missing(self) -> Option<&'static str> {
        match self {
            Self::MasslessFirst | Self::MasslessFirstOpen | Self::MasslessFirstFound => Some("m1"),
            Self::MasslessSecond | Self::MasslessSecondOpen | Self::MasslessSecondFound => Some("m2"),
            _ => None,
        }
    }

    /// The equations of the model.
    pub(crate) fn equations(self) -> &'static Equations {
        static ALL: [OnceLock<Equations>; SCENES] = [const { OnceLock::new() }; SCENES];
        ALL[self as usize].get_or_init(|| {
            let model = self.read(&[]).expect("a model of the gallery");
            derive(model).expect("a model of the gallery").value
        })
    }

    /// The closed form of its motion.
    pub(crate) fn solution(self) -> &'static Solution {
        static ALL: [OnceLock<Solution>; SCENES] = [const { OnceLock::new() }; SCENES];
        ALL[self as usize]
            .get_or_init(|| explicit::solve(self.equations(), &explicit::SolveOptions::default(), &Budget::new(WORK)))
    }

    /// What the papers compute on the way to it, in closed form.
    pub(crate) fn steps(self) -> Option<&'static Steps> {
        static ALL: [OnceLock<Option<Steps>>; SCENES] = [const { OnceLock::new() }; SCENES];
        let found = ALL[self as usize].get_or_init(|| {
            // Steps that disagree with the kernel are none: the entries that need them fail.
            explicit::steps(self.equations(), self.solution(), &Budget::new(WORK)).unwrap_or(None)
        });
        found.as_ref()
    }

    /// Expressions in the names of the model, each a scalar.
    ///
    /// # Errors
    /// What the model language has to say against them.
    pub(crate) fn expressions(self, texts: &[&str]) -> Result<Written, String> {
        let follows = self.follows();
        let all: Vec<&str> = follows.iter().map(|&(_, text)| text).chain(texts.iter().copied()).collect();
        let model = self.read(&all)?;
        let mut ids: Vec<Id> = model.outputs.iter().rev().take(all.len()).map(|output| output.components[0]).collect();
        ids.reverse();
        let rest = ids.split_off(follows.len());
        let symbol = |name: &str| {
            let (bare, moving) = name.strip_suffix('\'').map_or((name, false), |bare| (bare, true));
            let place = model.coordinates.iter().position(|c| c.name == bare).expect("a coordinate") as u32;
            if moving { Symbol::Velocity(place) } else { Symbol::Position(place) }
        };
        let follows = follows.iter().map(|&(name, _)| symbol(name)).zip(ids).collect();
        Ok(Written { model, ids: rest, follows, missing: self.missing() })
    }

    /// The model with expressions as outputs. Units are taken off: A⁺ adds what has different ones.
    fn read(self, outputs: &[&str]) -> Result<Model, String> {
        let mut text = self.text();
        for (number, output) in outputs.iter().enumerate() {
            text += &format!("\noutput paper_{number}: {output}");
        }
        text.push('\n');
        let mut sources = Sources::new();
        let file = sources.add(self.file(), &text);
        let (mut document, found) = parse(file, &text);
        bare(&mut document.statements);
        let loaded = from_document(document, sources, &NoFiles, &[], found);
        let first = loaded.errors().next().map(|error| error.message.clone());
        loaded.model.ok_or_else(|| first.unwrap_or_default())
    }
}

/// Takes units off, and leaves out what is not mechanics.
fn bare(statements: &mut Vec<holonom::language::syntax::Statement>) {
    statements.retain(|statement| {
        let kind = &statement.kind;
        !matches!(kind, StatementKind::Run(_) | StatementKind::Expect(_) | StatementKind::Draw(_))
    });
    let pure = |unit: &Unit| unit.factors.iter().all(|factor| matches!(factor.name.text.as_str(), "deg" | "rad"));
    let number = |value: &mut Expr| {
        if let ExprKind::Quantity(digits, unit) = &value.kind
            && !pure(unit)
        {
            value.kind = ExprKind::Number(digits.clone());
        }
    };
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Param(items) => items.iter_mut().for_each(|item| number(&mut item.value)),
            StatementKind::Start(items) => items.iter_mut().for_each(|item| number(&mut item.value)),
            StatementKind::Coord(items) => items.iter_mut().for_each(|item| item.unit = None),
            StatementKind::Part(part) => {
                if let PartSource::Inline(statements) = &mut part.source {
                    bare(statements);
                }
            }
            _ => {}
        }
    }
}

/// Expressions of a scene.
pub(crate) struct Written {
    /// Whose graph they are in.
    pub(crate) model: Model,
    /// The expressions.
    pub(crate) ids: Vec<Id>,
    pub(crate) follows: Vec<(Symbol, Id)>,
    missing: Option<&'static str>,
}

/// Values for all symbols: one point at which a formula is tried.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) time: f64,
    pub(crate) parameters: Vec<f64>,
    pub(crate) positions: Vec<f64>,
    pub(crate) velocities: Vec<f64>,
    pub(crate) accelerations: Vec<f64>,
}

impl Point {
    /// The value of a symbol; what has none here is not a number, so that nothing agrees with it.
    pub(crate) fn value(&self, symbol: Symbol) -> f64 {
        let at = |values: &[f64], index: u32| values.get(index as usize).copied().unwrap_or(f64::NAN);
        match symbol {
            Symbol::Time => self.time,
            Symbol::Parameter(i) => at(&self.parameters, i),
            Symbol::Position(i) => at(&self.positions, i),
            Symbol::Velocity(i) => at(&self.velocities, i),
            Symbol::Acceleration(i) => at(&self.accelerations, i),
            _ => f64::NAN,
        }
    }
}

impl Written {
    /// A random point; on the constraints if asked. A mass that is missing stays so.
    pub(crate) fn point(&self, random: &mut Random, admissible: bool) -> Point {
        let Model { graph, parameters, coordinates, .. } = &self.model;
        let n = coordinates.len();
        let mut signed = |low: f64, high: f64| random.uniform(low, high) * [1.0, -1.0][random.index(2)];
        let (mut positions, mut velocities, mut accelerations) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..n {
            positions.push(signed(0.1, 1.5));
            velocities.push(signed(0.8, 1.6));
            accelerations.push(signed(0.1, 2.0));
        }
        let time = random.uniform(0.1, 1.1);
        let mut point = Point { time, parameters: Vec::new(), positions, velocities, accelerations };
        for parameter in parameters {
            let missing = self.missing == Some(parameter.name.as_str());
            point.parameters.push(if missing { 0.0 } else { random.uniform(0.4, 1.4) });
        }
        if admissible {
            for &(symbol, id) in &self.follows {
                let value = graph.evaluate(&[id], |symbol| point.value(symbol))[0];
                match symbol {
                    Symbol::Position(i) => point.positions[i as usize] = value,
                    Symbol::Velocity(i) => point.velocities[i as usize] = value,
                    _ => {}
                }
            }
        }
        point
    }
}
