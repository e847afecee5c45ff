//! A model put together in Rust instead of text.

use super::diagnostic::Diagnostic;
use super::source::{FileId, Sources};
use super::syntax::Document;

mod placement;
mod text;

pub use placement::Placement;
pub use text::{ModelBuilder, Written};

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

impl ModelBuilder {
    /// A model without statements.
    pub fn new() -> Self {
        Self::default()
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
    use super::super::statement::KEYWORDS;
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
            .function("F(x, t)", "N")
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
function F(x, t): N
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
        for keyword in KEYWORDS {
            assert!(text.lines().any(|line| line.split([' ', '[']).next() == Some(keyword)), "no `{keyword}` is built");
        }
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
