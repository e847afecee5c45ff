//! Constraints on velocities: a blade, a disc that rolls upright, a disc that rolls and leans.

use crate::choose::{named, orientation, rewritten, signed, size, tolerance, units};
use crate::compare::Twins;
use crate::draft::Draft;
use crate::rigid::{Rigid, Style};
use crate::space::{Vector, add, cross};
use crate::units::Units;
use holonom_random::Random;

/// Draws one of the three.
pub fn draw(random: &mut Random) -> Twins {
    match random.index(3) {
        0 => sleigh(random),
        1 => upright(random),
        _ => leaning(random),
    }
}

fn twins(random: &mut Random, drafts: Vec<Draft>, groups: Vec<usize>) -> Twins {
    let rest = drafts.into_iter().enumerate();
    let drafts = rest.map(|(i, draft)| if i == 0 { draft } else { rewritten(draft, random, 1.0) }).collect();
    Twins { kind: "rolling", drafts, horizon: size(random, 0.5, 4.0), rtol: tolerance(random), groups, refused_as: &[] }
}

/// A sleigh on a blade, its centre of mass ahead of it, with a spring from the blade to the origin.
struct Sleigh {
    mass: f64,
    inertia: f64,
    ahead: f64,
    spring: f64,
    place: [f64; 2],
    phi: f64,
    speed: f64,
    turning: f64,
}

fn sleigh(random: &mut Random) -> Twins {
    let one = Sleigh {
        mass: size(random, 0.3, 3.0),
        inertia: size(random, 0.05, 1.0),
        ahead: if random.chance(1, 2) { 0.0 } else { signed(random, 0.1, 0.6) },
        spring: if random.chance(1, 2) { size(random, 0.3, 5.0) } else { 0.0 },
        place: [random.real(), random.real()],
        phi: if random.chance(1, 4) { 0.0 } else { 3.1 * random.real() },
        speed: signed(random, 0.1, 2.0),
        turning: signed(random, 0.1, 3.0),
    };
    let mut drafts = vec![one.contact(&units(random), false), one.centre(&units(random)), one.reduced(&units(random))];
    if one.ahead == 0.0 {
        drafts.push(one.contact(&units(random), true));
    }
    twins(random, drafts, vec![0, 0, 1, 1])
}

impl Sleigh {
    fn begin(&self, name: &str, units: &Units) -> Draft {
        let mut draft = named(name, units);
        draft.coordinate("phi", self.phi, self.turning / units.time);
        draft
    }

    fn finish(&self, mut draft: Draft, units: &Units) -> Draft {
        if self.spring > 0.0 {
            draft.potential.push(format!("{}/2*dot(p, p)", units.stiffness(self.spring)));
        }
        draft.observe(2, "p", |one| units.back(one));
        draft.outputs.extend(["sin(phi)".to_string(), "cos(phi)".to_string()]);
        draft
    }

    fn points(&self, draft: &mut Draft, shift: f64, units: &Units) {
        let (s, c) = self.phi.sin_cos();
        let (p, v) = (self.place, self.speed);
        let speed = units.factor(0, 1, -1);
        draft.coordinate("x", (p[0] + shift * c) * units.length, (v * c - shift * self.turning * s) * speed);
        draft.coordinate("y", (p[1] + shift * s) * units.length, (v * s + shift * self.turning * c) * speed);
    }

    /// By the point of contact; `turning` leaves out of T what the blade forbids, so that M is singular and its null vector turns.
    fn contact(&self, units: &Units, turning: bool) -> Draft {
        let mut draft = self.begin(if turning { "only along the blade" } else { "contact" }, units);
        self.points(&mut draft, 0.0, units);
        draft.lets.push("p = (x, y)".to_string());
        let m = units.mass(self.mass);
        draft.kinetic.push(format!("{}/2*phi'^2", units.inertia(self.inertia)));
        if turning {
            draft.kinetic.push(format!("{m}/2*(x'*cos(phi) + y'*sin(phi))^2"));
        } else {
            draft.lets.push(format!("c = p + {}*(cos(phi), sin(phi))", units.length(self.ahead)));
            draft.kinetic.push(format!("{m}/2*dot(c', c')"));
        }
        draft.velocity_row("blade", "y'*cos(phi)", "x'*sin(phi)");
        self.finish(draft, units)
    }

    fn centre(&self, units: &Units) -> Draft {
        let mut draft = self.begin("centre of mass", units);
        self.points(&mut draft, self.ahead, units);
        let a = units.length(self.ahead);
        draft.lets.push(format!("p = (x, y) - {a}*(cos(phi), sin(phi))"));
        draft.kinetic.push(format!("{}/2*phi'^2", units.inertia(self.inertia)));
        draft.kinetic.push(format!("{}/2*(x'^2 + y'^2)", units.mass(self.mass)));
        draft.velocity_row("blade", "y'*cos(phi) - x'*sin(phi)", format!("{a}*phi'"));
        self.finish(draft, units)
    }

    /// m v̇ = m a φ̇² + …, (J + m a²) φ̈ = −m a v φ̇ + …, with x and y massless.
    fn reduced(&self, units: &Units) -> Draft {
        let mut draft = self.begin("reduced", units);
        self.points(&mut draft, 0.0, units);
        draft.coordinate("s", 0.0, self.speed * units.factor(0, 1, -1));
        draft.lets.push("p = (x, y)".to_string());
        let (m, ma) = (units.mass(self.mass), units.write(self.mass * self.ahead, 1, 1, 0));
        let inertia = self.inertia + self.mass * self.ahead * self.ahead;
        draft.kinetic.push(format!("{m}/2*s'^2 + {}/2*phi'^2", units.inertia(inertia)));
        draft.statements.push(format!("force s: {ma}*phi'^2"));
        draft.statements.push(format!("force phi: -{ma}*s'*phi'"));
        draft.velocity_row("goes_x", "x'", "s'*cos(phi)");
        draft.velocity_row("goes_y", "y'", "s'*sin(phi)");
        self.finish(draft, units)
    }
}

/// A disc that rolls upright on a slope.
fn upright(random: &mut Random) -> Twins {
    let (m, r, axle, turn) =
        (size(random, 0.3, 3.0), size(random, 0.2, 1.0), size(random, 0.05, 0.5), size(random, 0.05, 0.5));
    let (phi, spin, turning) = (3.1 * random.real(), signed(random, 0.2, 4.0), signed(random, 0.1, 2.0));
    let slope = [2.0 * random.real(), 2.0 * random.real()];
    let write = |name: &str, units: &Units, reduced: usize| {
        let mut draft = named(name, units);
        let speed = r * spin * units.factor(0, 1, -1);
        for (name, x, v) in [("x", 0.0, speed * phi.cos()), ("y", 0.0, speed * phi.sin())] {
            draft.coordinate(name, x, v);
        }
        draft.coordinate("phi", phi, turning / units.time);
        draft.coordinate("psi", 0.0, spin / units.time);
        let (m, r) = (units.mass(m), units.length(r));
        draft.kinetic.push(format!("{}/2*psi'^2 + {}/2*phi'^2", units.inertia(axle), units.inertia(turn)));
        draft.kinetic.push(match reduced {
            0 => format!("{m}/2*(x'^2 + y'^2)"),
            1 => format!("{m}*{r}^2/2*psi'^2"),
            _ => format!("{m}/2*(x'*cos(phi) + y'*sin(phi))^2"),
        });
        let weight = [0, 1].map(|i| units.write(slope[i], 1, 1, -2));
        draft.potential.push(format!("{}*x + {}*y", weight[0], weight[1]));
        draft.velocity_row("rolls_x", "x'", format!("{r}*psi'*cos(phi)"));
        draft.velocity_row("rolls_y", "y'", format!("{r}*psi'*sin(phi)"));
        draft.observe(2, "(x, y)", |one| units.back(one));
        draft.outputs.extend(["sin(phi)".to_string(), "cos(phi)".to_string()]);
        draft.observe_energies(units);
        draft
    };
    let drafts = vec![
        write("Cartesian", &units(random), 0),
        write("reduced", &units(random), 1),
        write("only along the disc", &units(random), 2),
    ];
    twins(random, drafts, vec![0, 0, 1, 1, 2, 2])
}

/// A disc that rolls and leans on a level floor.
struct Disc {
    mass: f64,
    radius: f64,
    /// Along the axle and across it.
    inertia: [f64; 2],
    yaw: f64,
    lean: f64,
    rates: [f64; 3],
}

fn leaning(random: &mut Random) -> Twins {
    let (mass, radius) = (size(random, 0.3, 3.0), size(random, 0.2, 1.0));
    let across = mass * radius * radius * size(random, 0.15, 0.5);
    let disc = Disc {
        mass,
        radius,
        inertia: [across * size(random, 0.5, 2.0), across],
        yaw: 3.1 * random.real(),
        lean: if random.chance(1, 4) { 0.0 } else { 0.5 * random.real() },
        rates: [random.real(), 0.5 * random.real(), signed(random, 1.0, 8.0)],
    };
    let mut drafts = vec![disc.angles(&units(random))];
    drafts.push(disc.quaternion(&units(random), [1.0, 0.0, 0.0, 0.0], random));
    let frame = orientation(random);
    drafts.push(disc.quaternion(&units(random), frame, random));
    let mut made = twins(random, drafts, vec![0, 0, 0, 1, 1, 1, 2, 2]);
    made.horizon = made.horizon.min(1.5);
    made
}

impl Disc {
    /// Axle, upward direction in the disc, angular velocity, velocity of the centre.
    fn start(&self) -> (Vector, Vector, Vector, Vector) {
        let ((sy, cy), (sl, cl)) = (self.yaw.sin_cos(), self.lean.sin_cos());
        let axle = [-sy * cl, cy * cl, sl];
        let up = add([0.0, 0.0, 1.0 / cl], -sl / cl, axle);
        let [yaw, lean, spin] = self.rates;
        let omega = add([lean * cy, lean * sy, yaw], spin, axle);
        (axle, up, omega, cross(omega, up.map(|x| x * self.radius)))
    }

    fn finish(&self, draft: &mut Draft, units: &Units) {
        draft.kinetic.push(format!("{}/2*dot(c', c')", units.mass(self.mass)));
        draft.potential.push(format!("{}*c.z", units.write(9.81 * self.mass, 1, 1, -2)));
        draft.observe(3, "c", |one| units.back(one));
        draft.observe(3, "axle", str::to_string);
        draft.observe_energies(units);
    }

    fn angles(&self, units: &Units) -> Draft {
        let mut draft = named("angles", units);
        let (_, _, _, velocity) = self.start();
        let speed = units.factor(0, 1, -1);
        for (i, name) in ["x", "y"].iter().enumerate() {
            draft.coordinate(name, 0.0, velocity[i] * speed);
        }
        for (name, x, v) in
            [("yaw", self.yaw, self.rates[0]), ("lean", self.lean, self.rates[1]), ("spin", 0.0, self.rates[2])]
        {
            draft.coordinate(name, x, v / units.time);
        }
        let r = units.length(self.radius);
        draft.lets.extend([
            format!("c = (x, y, {r}*cos(lean))"),
            "axle = (-sin(yaw)*cos(lean), cos(yaw)*cos(lean), sin(lean))".to_string(),
            "up = ((0, 0, 1) - sin(lean)*axle)/cos(lean)".to_string(),
            "w = (lean'*cos(yaw), lean'*sin(yaw), yaw') + spin'*axle".to_string(),
        ]);
        let [along, across] = self.inertia;
        draft.kinetic.push(format!("{}/2*dot(w, w)", units.inertia(across)));
        draft.kinetic.push(format!("{}/2*dot(w, axle)^2", units.inertia(along - across)));
        draft.velocity_row("rolls_x", "x'", format!("{r}*cross(w, up).x"));
        draft.velocity_row("rolls_y", "y'", format!("{r}*cross(w, up).y"));
        self.finish(&mut draft, units);
        draft
    }

    fn quaternion(&self, units: &Units, frame: [f64; 4], random: &mut Random) -> Draft {
        let mut draft = named(if frame[0] == 1.0 { "quaternion at 1" } else { "quaternion" }, units);
        let (axle, _, omega, velocity) = self.start();
        let [along, across] = self.inertia;
        let centre = [0.0, 0.0, self.radius * self.lean.cos()];
        let axes = crate::rigid::rod_axes(axle);
        let inertia = [across, across, along];
        let body = Rigid { name: "b".into(), mass: self.mass, inertia, axes, centre, velocity, omega };
        let written = body.write(&mut draft, Style::Quaternion(frame), units, false);
        let speed = units.factor(0, 1, -1);
        for (i, name) in ["x", "y", "z"].iter().enumerate() {
            draft.coordinate(name, centre[i] * units.length, velocity[i] * speed);
        }
        let r = units.length(self.radius);
        draft.lets.extend([
            "c = (x, y, z)".to_string(),
            format!("axle = {}", written.carried(axle)),
            "level = sqrt(1 - axle.z^2)".to_string(),
            "up = ((0, 0, 1) - axle.z*axle)/level".to_string(),
            "ev = (be1, be2, be3)".to_string(),
            "w = 2*(be0*ev' - be0'*ev + cross(ev, ev'))".to_string(),
        ]);
        draft.row("floor", "z", format!("{r}*level"));
        draft.velocity_row("rolls_x", "x'", format!("{r}*cross(w, up).x"));
        draft.velocity_row("rolls_y", "y'", format!("{r}*cross(w, up).y"));
        if random.chance(1, 3) {
            draft.velocity_row("rolls_z", "z'", format!("{r}*cross(w, up).z"));
        }
        self.finish(&mut draft, units);
        draft
    }
}

#[test]
fn the_start_rolls() {
    let disc = Disc { mass: 1.0, radius: 0.5, inertia: [1.0, 2.0], yaw: 0.3, lean: 0.2, rates: [0.1, 0.2, 3.0] };
    let (axle, up, _, velocity) = disc.start();
    assert!(crate::space::dot(axle, up).abs() < 1e-15);
    // The centre is at r cos(lean).
    assert!((velocity[2] + 0.5 * 0.2f64.sin() * 0.2).abs() < 1e-15);
}
