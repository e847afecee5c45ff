//! A model put together in Rust instead of text.

use super::compose::{Composer, Role};
use super::diagnostic::Diagnostic;
use super::source::{FileId, Sources};
use super::syntax::Document;

mod bodies;

pub use bodies::Placement;

/// Builds a model statement by statement. It means what the text with the same statements means.
///
/// Names, expressions, units and equations are strings in the language; numbers may be given as numbers. Nothing is
/// checked on the way: [`build`](Self::build) reports everything at once, and messages show the string they are about.
///
/// # Examples
///
/// A block on a rough incline (Udwadia 2005, example 2):
///
/// ```
/// use holonom_language::ModelBuilder;
///
/// let built = ModelBuilder::new()
///     .title("Block on a rough incline")
///     .param("m", "2 kg")
///     .param("g", "9.81 m/s^2")
///     .param("mu", 0.2)
///     .coord("x", "m")
///     .coord("y", "m")
///     .particle_at("block", "m", "(x, y)")
///     .gravity("(0, -g)")
///     .constraint("plane", "y = x*tan(30 deg)")
///     .friction("plane", "coulomb(mu)")
///     .start("x", "0 m")
///     .start("x'", "4 m/s")
///     .run(&[("until", "3 s"), ("every", "0.01 s")])
///     .build();
/// assert!(built.diagnostics.is_empty());
/// assert_eq!(built.document.statements.len(), 13);
/// ```
///
/// A string cannot reach beyond its place:
///
/// ```
/// # use holonom_language::ModelBuilder;
/// let built = ModelBuilder::new().param("m", "2 kg, g = 9.81 m/s^2").build();
/// assert_eq!(built.diagnostics[0].code, "not-one-item");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ModelBuilder {
    composer: Composer,
}

/// What a [`ModelBuilder`] gives.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model; without statements if one of the strings is wrong.
    pub document: Document,
    /// The text that was made of it, under the name `builder`; the spans of the document lie in it.
    pub sources: Sources,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A string in the language, or a number that becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written(String);

impl Written {
    /// The string.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self(text.to_string())
    }
}

impl From<String> for Written {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&String> for Written {
    fn from(text: &String) -> Self {
        Self(text.clone())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Written {
            /// The shortest decimal text that reads back as this number.
            fn from(number: $number) -> Self {
                Self(format!("{number:?}"))
            }
        })*
    };
}

numbers!(f64, f32, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl ModelBuilder {
    /// A model without statements.
    pub fn new() -> Self {
        Self::default()
    }

    fn begin(mut self, keyword: &str) -> Self {
        self.composer.keyword(keyword, None);
        self
    }

    fn put(mut self, text: &str) -> Self {
        self.composer.put(text);
        self
    }

    fn give(mut self, role: Role, text: impl Into<Written>) -> Self {
        self.composer.fragment(role, &text.into().0, None);
        self
    }

    fn settings(mut self, settings: &[(&str, &str)]) -> Self {
        for (name, value) in settings {
            self = self.put(", ").give(Role::Word, *name).put(" = ").give(Role::Expression, *value);
        }
        self
    }

    /// `title …`: a line of words.
    pub fn title(self, title: &str) -> Self {
        self.begin("title").give(Role::Title, title)
    }

    /// `param name = value`
    pub fn param(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("param").give(Role::Name, name).put(" = ").give(Role::Expression, value)
    }

    /// `coord name: unit`; without a unit if that is empty.
    pub fn coord(self, name: &str, unit: &str) -> Self {
        let named = self.begin("coord").give(Role::Name, name);
        if unit.is_empty() { named } else { named.put(": ").give(Role::Unit, unit) }
    }

    /// `let name = value`, where the name may have arguments: `let e(a) = (cos(a), sin(a))`.
    pub fn define(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("let").give(Role::Head, name).put(" = ").give(Role::Expression, value)
    }

    /// `table name = "path"`
    pub fn table(self, name: &str, path: &str) -> Self {
        self.begin("table").give(Role::Name, name).put(" = \"").give(Role::Path, path).put("\"")
    }

    /// `function head: unit`, such as `function F(x, t): N`; without a unit if that is empty.
    pub fn function(self, head: &str, unit: &str) -> Self {
        let named = self.begin("function").give(Role::Function, head);
        if unit.is_empty() { named } else { named.put(": ").give(Role::Unit, unit) }
    }

    /// `kinetic energy`
    pub fn kinetic(self, energy: impl Into<Written>) -> Self {
        self.begin("kinetic").give(Role::Expression, energy)
    }

    /// `potential energy`
    pub fn potential(self, energy: impl Into<Written>) -> Self {
        self.begin("potential").give(Role::Expression, energy)
    }

    /// `lagrangian expression`
    pub fn lagrangian(self, lagrangian: impl Into<Written>) -> Self {
        self.begin("lagrangian").give(Role::Expression, lagrangian)
    }

    /// `dissipation power`: Rayleigh's function.
    pub fn dissipation(self, power: impl Into<Written>) -> Self {
        self.begin("dissipation").give(Role::Expression, power)
    }

    /// `gravity (0, -g)`
    pub fn gravity(self, acceleration: impl Into<Written>) -> Self {
        self.begin("gravity").give(Role::Expression, acceleration)
    }

    /// `particle name: mass at point`
    pub fn particle_at(self, name: &str, mass: impl Into<Written>, point: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" at ").give(Role::Expression, point)
    }

    /// `particle name: mass in plane`
    pub fn particle_in_plane(self, name: &str, mass: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" in plane")
    }

    /// `particle name: mass in space`
    pub fn particle_in_space(self, name: &str, mass: impl Into<Written>) -> Self {
        self.particle(name, mass).put(" in space")
    }

    fn particle(self, name: &str, mass: impl Into<Written>) -> Self {
        self.begin("particle").give(Role::Name, name).put(": ").give(Role::Expression, mass)
    }

    /// `mass [[m, 0], [0, m]]`
    pub fn mass(self, matrix: impl Into<Written>) -> Self {
        self.begin("mass").give(Role::Expression, matrix)
    }

    /// `force on: value`, on a coordinate, a particle or a point.
    pub fn force(self, on: &str, value: impl Into<Written>) -> Self {
        self.begin("force").give(Role::Force, on).put(": ").give(Role::Expression, value)
    }

    /// `force [..]` over all coordinates.
    pub fn force_on_all(self, values: impl Into<Written>) -> Self {
        self.begin("force").give(Role::Expression, values)
    }

    /// `constraint name: left = right`, or one-sided, `left >= right` and `left <= right`
    pub fn constraint(self, name: &str, equation: &str) -> Self {
        self.begin("constraint").give(Role::Name, name).put(": ").give(Role::Equation, equation)
    }

    /// `constraint name: left = right, off`: to be switched on by an event.
    pub fn constraint_off(self, name: &str, equation: &str) -> Self {
        self.constraint(name, equation).put(", off")
    }

    /// `stop name: value in low..high`
    pub fn stop(
        self,
        name: &str,
        value: impl Into<Written>,
        low: impl Into<Written>,
        high: impl Into<Written>,
    ) -> Self {
        let value = self.begin("stop").give(Role::Name, name).put(": ").give(Role::Bound, value);
        let low = low.into();
        // `5.` is a number, too.
        let dots = if low.0.trim_end().ends_with('.') { " .." } else { ".." };
        value.put(" in ").give(Role::Bound, low).put(dots).give(Role::Bound, high)
    }

    /// `…, restitution = value`, directly after a one-sided constraint or a stop.
    pub fn restitution(self, value: impl Into<Written>) -> Self {
        self.put(", restitution = ").give(Role::Expression, value)
    }

    /// `connect name: arm.tip = base.pin`
    pub fn connect(self, name: &str, equation: &str) -> Self {
        self.begin("connect").give(Role::Name, name).put(": ").give(Role::Equation, equation)
    }

    /// `nonideal constraint: [..]` over all coordinates.
    pub fn nonideal(self, constraint: &str, values: impl Into<Written>) -> Self {
        self.begin("nonideal").give(Role::Name, constraint).put(": ").give(Role::Expression, values)
    }

    /// `nonideal constraint on point: force`
    pub fn nonideal_on(self, constraint: &str, point: &str, force: impl Into<Written>) -> Self {
        let target = self.begin("nonideal").give(Role::Name, constraint).put(" on ");
        target.give(Role::Expression, point).put(": ").give(Role::Expression, force)
    }

    /// `nonideal [..]` for the system as a whole.
    pub fn nonideal_of_all(self, values: impl Into<Written>) -> Self {
        self.begin("nonideal").give(Role::Expression, values)
    }

    /// `friction constraint: law`
    pub fn friction(self, constraint: &str, law: &str) -> Self {
        self.friction_with(constraint, law, &[])
    }

    /// `friction constraint: law, slip = …, normal = …`
    pub fn friction_with(self, constraint: &str, law: &str, settings: &[(&str, &str)]) -> Self {
        let law = self.begin("friction").give(Role::Name, constraint).put(": ").give(Role::Expression, law);
        law.settings(settings)
    }

    /// `hidden find`
    pub fn hidden_find(self) -> Self {
        self.begin("hidden").put("find")
    }

    /// `free x'' = value`
    pub fn free(self, acceleration: &str, value: impl Into<Written>) -> Self {
        self.begin("free").give(Role::Name, acceleration).put(" = ").give(Role::Expression, value)
    }

    /// `free zero`
    pub fn free_zero(self) -> Self {
        self.begin("free").put("zero")
    }

    /// `start x = value`
    pub fn start(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("start").give(Role::Name, name).put(" = ").give(Role::Expression, value)
    }

    /// `start x ~ value`: a guess that selects a branch.
    pub fn start_near(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("start").give(Role::Name, name).put(" ~ ").give(Role::Expression, value)
    }

    /// `assemble`
    pub fn assemble(self) -> Self {
        self.begin("assemble")
    }

    /// `run until 3 s, every 0.01 s, method = stiff`: each item with its value, in that order.
    pub fn run(mut self, items: &[(&str, &str)]) -> Self {
        self = self.begin("run");
        for (which, (name, value)) in items.iter().enumerate() {
            if which > 0 {
                self = self.put(", ");
            }
            let sign = if matches!(*name, "until" | "every" | "at") { " " } else { " = " };
            self = self.give(Role::Word, *name).put(sign).give(Role::Expression, *value);
        }
        self
    }

    /// `output name: value`
    pub fn output(self, name: &str, value: impl Into<Written>) -> Self {
        self.begin("output").give(Role::Name, name).put(": ").give(Role::Expression, value)
    }

    /// `event name: condition -> actions`
    pub fn event(mut self, name: &str, condition: &str, actions: &[&str]) -> Self {
        self = self.begin("event").give(Role::Name, name).put(": ").give(Role::Condition, condition).put(" -> ");
        for (which, action) in actions.iter().enumerate() {
            if which > 0 {
                self = self.put(", ");
            }
            self = self.give(Role::Action, *action);
        }
        self
    }

    /// `expect claim`, such as `expect x = sin(t)`, at every recorded time.
    pub fn expect(self, claim: &str) -> Self {
        self.begin("expect").give(Role::Claim, claim)
    }

    /// `expect at start claim`
    pub fn expect_at_start(self, claim: &str) -> Self {
        self.begin("expect").put("at start ").give(Role::Claim, claim)
    }

    /// `expect constant value`
    pub fn expect_constant(mut self, value: &str) -> Self {
        self = self.begin("expect");
        self.composer.constant(value, None);
        self
    }

    /// `… within tolerance`, directly after one of the `expect` statements.
    pub fn within(self, tolerance: impl Into<Written>) -> Self {
        self.put(" within ").give(Role::Expression, tolerance)
    }

    /// `draw shape arguments, name = value`
    pub fn draw(mut self, shape: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        self = self.begin("draw").give(Role::Word, shape);
        self.composer.arguments(arguments.iter().map(|argument| (*argument, None)));
        self.settings(settings)
    }

    /// `draw[i in 1..N] shape arguments, name = value`
    pub fn draw_family(mut self, family: &str, shape: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        self = self.begin("draw");
        self.composer.family(family, None);
        self = self.give(Role::Word, shape);
        self.composer.arguments(arguments.iter().map(|argument| (*argument, None)));
        self.settings(settings)
    }

    /// `part name = "path" with name = value, …`
    pub fn part_file(self, name: &str, path: &str, with: &[(&str, &str)]) -> Self {
        self.part_file_placed(name, path, with, &Placement::new())
    }

    /// `part name = "path" with name = value, …, at …`: placed as a whole.
    pub fn part_file_placed(mut self, name: &str, path: &str, with: &[(&str, &str)], place: &Placement) -> Self {
        self = self.begin("part").give(Role::Name, name).put(" = \"").give(Role::Path, path).put("\"");
        for (which, (name, value)) in with.iter().enumerate() {
            self = self.put(if which == 0 { " with " } else { ", " });
            self = self.give(Role::Name, *name).put(" = ").give(Role::Expression, *value);
        }
        self.place(place, true)
    }

    /// `part name` and, indented, the statements of another builder.
    pub fn part(self, name: &str, statements: &Self) -> Self {
        self.part_placed(name, &Placement::new(), statements)
    }

    /// `part name, at …` and, indented, the statements of another builder.
    pub fn part_placed(mut self, name: &str, place: &Placement, statements: &Self) -> Self {
        self = self.begin("part").give(Role::Name, name).place(place, true);
        self.composer.indented(&statements.composer);
        self
    }

    /// The model, and all that is wrong with it.
    pub fn build(self) -> Built {
        let (text, _, document, diagnostics) = self.composer.finish(FileId(0));
        let mut sources = Sources::new();
        sources.add("builder", text);
        Built { document, sources, diagnostics }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare::canonical;
    use super::super::format::print;
    use super::super::parse::parse;
    use super::*;

    #[test]
    fn every_statement_means_what_its_text_means() {
        let arm = ModelBuilder::new().title("arm").coord("q", "rad").part("hand", &ModelBuilder::new().coord("r", ""));
        let built = ModelBuilder::new()
            .title("All of them")
            .param("m[i in 1..2]", 2.5)
            .coord("x", "m")
            .define("e(a)", "(cos(a), sin(a))")
            .table("f", "f.csv")
            .kinetic("m[1]*x'^2/2")
            .potential("m[1]*g*x")
            .lagrangian("0")
            .dissipation("x'^2")
            .gravity("(0, -9.81)")
            .particle_at("p", "m[1]", "(x, 0)")
            .particle_in_plane("r", 1)
            .particle_in_space("s", 0)
            .mass("[[1]]")
            .body("rod", "rod(L)", "m", &Placement::from_to("P", "Q").up("(0, 0, 1)"))
            .body("still", "ball(1)", 2.5, &Placement::new())
            .body_of_density("box", "box(1, 2, 3)", "rho", &Placement::at("P").turned("z", "a").then_turned("x", 1))
            .body_with("any", &[("mass", "m"), ("inertia", "(1, 2, 3)")], &Placement::at("P").axes("x", "y + z"))
            .frame("tip", "rod", &Placement::at("Q"))
            .joint("pin", "hinge", &["ground", "rod"], &[("at", "P"), ("axis", "-x")])
            .joint("uni", "universal", &["rod", "box"], &[("at", "P"), ("axis", "x"), ("axis", "y")])
            .off()
            .cut()
            .joint("nut", "screw", &["rod", "box"], &[("from", "P"), ("to", "Q"), ("pitch", "2 mm")])
            .drive("crank", "pin", "w*t")
            .off()
            .spring("elastic", "distance(P, Q)", &[("stiffness", "k"), ("rest", "L")])
            .damper("oil", "pin", &[("rate", "c")])
            .torque("pin", "M")
            .formulation("bodies")
            .force("p", "(1, 0)")
            .force_on_all("[1]")
            .constraint("c", "x = 1")
            .constraint_off("d", "x = 2")
            .constraint("floor", "x >= -1")
            .restitution(0.3)
            .constraint("rope", "x <= 9")
            .stop("end", "x - 1", "-2", "5.")
            .restitution("r")
            .connect("j", "arm.q = x")
            .nonideal("c", "[1]")
            .nonideal_on("c", "p", "(1, 0)")
            .nonideal_of_all("[1]")
            .friction("c", "coulomb(0.2)")
            .friction_with("d", "viscous(1)", &[("slip", "x'"), ("normal", "1")])
            .hidden_find()
            .free("x''", -1)
            .free_zero()
            .start("x'", 1e-7)
            .start_near("x", 1)
            .assemble()
            .run(&[("until", "3"), ("method", "stiff")])
            .output("speed", "x'")
            .event("hit", "x < 0", &["stop", "impact d, restitution = 0.5"])
            .event("touch", "floor catches", &["record"])
            .event("gone", "end.low lets go", &["record"])
            .expect("x = 1")
            .expect_at_start("x > 0")
            .within("1e-9")
            .expect_constant("energy()")
            .expect_constant("-x")
            .draw("line", &["p - r", "2", "s"], &[("color", "red")])
            .draw_family("i in 1..2", "point", &["p"], &[])
            .part_file("a", "a.holo", &[("L", "2 m")])
            .part_file_placed("b", "a.holo", &[], &Placement::at("P").turned("z", "a"))
            .part("arm", &arm)
            .part_placed("leg", &Placement::at("P"), &ModelBuilder::new().coord("x", ""))
            .build();
        assert!(built.diagnostics.is_empty(), "{:#?}", built.diagnostics);
        let text = "\
title All of them
param m[i in 1..2] = 2.5
coord x: m
let e(a) = (cos(a), sin(a))
table f = \"f.csv\"
kinetic m[1]*x'^2/2
potential m[1]*g*x
lagrangian 0
dissipation x'^2
gravity (0, -9.81)
particle p: m[1] at (x, 0)
particle r: 1 in plane
particle s: 0 in space
mass [[1]]
body rod: rod(L) of m, from P to Q, up (0, 0, 1)
body still: ball(1) of 2.5
body box: box(1, 2, 3), density = rho, at P, turned z by a, then x by 1
body any: mass = m, inertia = (1, 2, 3), at P, axes x (y + z)
frame tip on rod: at Q
joint pin: hinge(ground, rod), at P, axis (-x)
joint uni: universal(rod, box), at P, axis x y, off, cut
joint nut: screw(rod, box), from P to Q, pitch = 2 mm
drive crank: pin = w*t, off
spring elastic: distance(P, Q), stiffness = k, rest = L
damper oil: pin, rate = c
torque pin: M
formulation bodies
force p: (1, 0)
force [1]
constraint c: x = 1
constraint d: x = 2, off
constraint floor: x >= -1, restitution = 0.3
constraint rope: x <= 9
stop end: x - 1 in -2..5., restitution = r
connect j: arm.q = x
nonideal c: [1]
nonideal c on p: (1, 0)
nonideal [1]
friction c: coulomb(0.2)
friction d: viscous(1), slip = x', normal = 1
hidden find
free x'' = -1
free zero
start x' = 1e-7
start x ~ 1
assemble
run until 3, method = stiff
output speed: x'
event hit: x < 0 -> stop, impact d, restitution = 0.5
event touch: floor catches -> record
event gone: end.low lets go -> record
expect x = 1
expect at start x > 0 within 1e-9
expect constant energy()
expect constant (-x)
draw line (p - r) (2) s, color = red
draw[i in 1..2] point p
part a = \"a.holo\" with L = 2 m
part b = \"a.holo\", at P, turned z by a
part arm
  title arm
  coord q: rad
  part hand
    coord r
part leg, at P
  coord x
";
        assert_eq!(canonical(&built.document), canonical(&parse(FileId(0), text).0));
        let printed = print(&built.document).expect("nothing is broken");
        assert_eq!(built.sources.file(FileId(0)).text, printed);
    }

    #[test]
    fn mistakes_show_the_string_they_are_in() {
        let inner = ModelBuilder::new().coord("x", "m").kinetic("x' +");
        let built = ModelBuilder::new().param("m", "2 kgg").part("a", &inner).build();
        let shown: Vec<&str> = built
            .diagnostics
            .iter()
            .map(|error| {
                let (line, _) = built.sources.position(error.labels[0].span);
                built.sources.file(FileId(0)).text.lines().nth(line - 1).unwrap_or("")
            })
            .collect();
        assert_eq!(shown, ["param      m = 2 kgg", "  kinetic    x' +"]);
        assert!(built.document.statements.is_empty());
    }

    #[test]
    fn strings_cannot_make_statements() {
        for value in ["1\nparam g = 2", "1, g = 2", "1 # one", "", "(1", "1)", "1]"] {
            let built = ModelBuilder::new().param("m", value).coord("x", "").build();
            assert!(!built.diagnostics.is_empty(), "{value:?}");
            assert!(built.document.statements.is_empty(), "{value:?}");
        }
    }
}
