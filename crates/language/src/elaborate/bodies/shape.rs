//! Shapes: what inertia and centre of mass a body has.

use super::Elaborator;
use super::place::Runs;
use super::rows::Measure;
use super::space::{Matrix, ZERO};
use crate::checked::BodyShape;
use crate::diagnostic::Diagnostic;
use crate::elaborate::value::Data;
use crate::names::closest;
use crate::syntax::{BodyItem, Expr, ExprKind, PlaceClause, Setting};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id, Number};

/// A shape of the language.
struct Form {
    name: &'static str,
    /// What its arguments are, for messages.
    arguments: &'static [&'static str],
    /// The axis that `from … to` runs along.
    runs: Runs,
    /// Which argument is its length from end to end.
    length: Option<usize>,
    /// Moments of inertia about its centre, for mass 1: numerator and denominator of each product of two arguments.
    inertia: [&'static [Share]; 3],
    /// The volume, for `density`: a factor, a power of π, and the powers of the arguments. Nothing for thin shapes.
    volume: Option<(i128, i128, i32, &'static [i32])>,
}

/// A part of a moment of inertia: numerator, denominator, and the arguments multiplied.
type Share = (i128, i128, usize, usize);

const FORMS: [Form; 7] = [
    Form {
        name: "rod",
        arguments: &["length"],
        runs: Runs::First,
        length: Some(0),
        inertia: [&[], &[(1, 12, 0, 0)], &[(1, 12, 0, 0)]],
        volume: None,
    },
    Form {
        name: "box",
        arguments: &["length", "width", "height"],
        runs: Runs::First,
        length: Some(0),
        inertia: [&[(1, 12, 1, 1), (1, 12, 2, 2)], &[(1, 12, 0, 0), (1, 12, 2, 2)], &[(1, 12, 0, 0), (1, 12, 1, 1)]],
        volume: Some((1, 1, 0, &[1, 1, 1])),
    },
    Form {
        name: "cylinder",
        arguments: &["radius", "height"],
        runs: Runs::Third,
        length: Some(1),
        inertia: [&[(1, 4, 0, 0), (1, 12, 1, 1)], &[(1, 4, 0, 0), (1, 12, 1, 1)], &[(1, 2, 0, 0)]],
        volume: Some((1, 1, 1, &[2, 1])),
    },
    Form {
        name: "disc",
        arguments: &["radius"],
        runs: Runs::Third,
        length: None,
        inertia: [&[(1, 4, 0, 0)], &[(1, 4, 0, 0)], &[(1, 2, 0, 0)]],
        volume: None,
    },
    Form {
        name: "ball",
        arguments: &["radius"],
        runs: Runs::First,
        length: None,
        inertia: [&[(2, 5, 0, 0)], &[(2, 5, 0, 0)], &[(2, 5, 0, 0)]],
        volume: Some((4, 3, 1, &[3])),
    },
    Form {
        name: "hoop",
        arguments: &["radius"],
        runs: Runs::Third,
        length: None,
        inertia: [&[(1, 2, 0, 0)], &[(1, 2, 0, 0)], &[(1, 1, 0, 0)]],
        volume: None,
    },
    Form {
        name: "cone",
        arguments: &["radius", "height"],
        runs: Runs::FromBase,
        length: None,
        inertia: [&[(3, 20, 0, 0), (3, 80, 1, 1)], &[(3, 20, 0, 0), (3, 80, 1, 1)], &[(3, 10, 0, 0)]],
        volume: Some((1, 3, 1, &[2, 1])),
    },
];

impl<'a> Elaborator<'a> {
    /// Reads shape, mass and inertia of a body; the axis that its placement runs along, and its length where it has one.
    pub(super) fn shape_of(&mut self, which: usize, item: &'a BodyItem) -> Option<(Runs, Option<Id>)> {
        let known: &[&str] = if item.shape.is_some() { &["density", "mass"] } else { &["mass", "inertia", "centre"] };
        for option in &item.options {
            self.known_option(option, known, "a body")?;
        }
        let option =
            |name: &str| item.options.iter().find(|option| option.name.text == name).map(|option| &option.value);
        match &item.shape {
            Some(shape) => self.formed(which, item, shape, option("density"), option("mass")),
            None => {
                self.given_inertia(which, item, option("mass"), option("inertia"), option("centre"))?;
                Some((Runs::First, None))
            }
        }
    }

    /// Shapes, masses and inertias are read in the picture, where points of bodies have fixed places. Here these move, and what is made of them is an error.
    pub(super) fn check_fixed_values(&mut self) {
        if self.bodies.was_asked_early {
            return;
        }
        for which in 1..self.bodies.all.len() {
            let Some((item, case)) = self.bodies.all[which].item.clone() else { continue };
            let scope = self.bodies.all[which].scope;
            self.at_home(scope, &case, |this| {
                if let Some(ExprKind::Call(_, sizes)) = item.shape.as_ref().map(|shape| &shape.kind) {
                    sizes.iter().for_each(|size| this.check_fixed(size, "a size"));
                }
                item.mass.iter().for_each(|mass| this.check_fixed(mass, "the mass of a body"));
                for option in &item.options {
                    let what = match option.name.text.as_str() {
                        "mass" => "the mass of a body",
                        "density" => "a density",
                        "inertia" => "an inertia",
                        _ => "the centre of mass",
                    };
                    this.check_fixed(&option.value, what);
                }
            });
        }
    }

    fn check_fixed(&mut self, expression: &'a Expr, what: &str) {
        if matches!(expression.kind, ExprKind::Number(_) | ExprKind::Quantity(..)) {
            return;
        }
        if let Some(value) = self.value(expression) {
            self.only(expression, &value.components(), Depends::NOTHING, what);
        }
    }

    /// Refuses an option that does not exist.
    pub(super) fn known_option(&mut self, option: &Setting, known: &[&str], what: &str) -> Option<()> {
        if known.contains(&option.name.text.as_str()) {
            return Some(());
        }
        let error = Diagnostic::error("unknown-option", format!("{what} has no option `{}`", option.name.text));
        let error = match closest(&option.name.text, known.iter().copied()) {
            Some(right) => {
                error.at(option.name.span, format!("did you mean `{right}`?")).suggest(option.name.span, right)
            }
            None => {
                let list: Vec<String> = known.iter().map(|one| format!("`{one} = …`")).collect();
                error.at(option.name.span, format!("options here are {}", list.join(", ")))
            }
        };
        self.report(error);
        None
    }

    fn formed(
        &mut self,
        which: usize,
        item: &'a BodyItem,
        shape: &'a Expr,
        density: Option<&'a Expr>,
        mass: Option<&'a Expr>,
    ) -> Option<(Runs, Option<Id>)> {
        let (name, arguments): (&str, &'a [Expr]) = match &shape.kind {
            ExprKind::Call(name, arguments) => (&name.text, arguments),
            ExprKind::Name(name) => (name, &[]),
            _ => ("", &[]),
        };
        let Some(form) = FORMS.iter().find(|form| form.name == name) else {
            let error =
                Diagnostic::error("unknown-shape", format!("there is no shape `{}`", self.sources.text(shape.span)));
            let error = match closest(name, FORMS.iter().map(|form| form.name)) {
                Some(right) => error.at(shape.span, format!("did you mean `{right}`?")),
                None => error.at(shape.span, "not known"),
            };
            let all: Vec<String> =
                FORMS.iter().map(|form| format!("`{}({})`", form.name, form.arguments.join(", "))).collect();
            self.report(
                error
                    .help(format!("shapes are {}", all.join(", ")))
                    .help("for any other body give `mass = …, inertia = (…)`"),
            );
            return None;
        };
        // In the plane a box has no height.
        let (least, most) =
            (if name == "box" && self.is_planar() { 2 } else { form.arguments.len() }, form.arguments.len());
        if !(least..=most).contains(&arguments.len()) {
            let error =
                Diagnostic::error("arguments", format!("`{name}` takes {}", form.arguments[..most].join(" and ")))
                    .at(shape.span, format!("{} here", arguments.len()))
                    .help(format!("write `{name}({})`", form.arguments.join(", ")));
            self.report(error);
            return None;
        }
        let length = self.due(Dimension::LENGTH);
        let mut sizes = Vec::with_capacity(most);
        for (argument, what) in arguments.iter().zip(form.arguments) {
            let value = self.value(argument);
            let id = self.scalar(argument, value, length, &format!("the {what}"))?;
            self.only(argument, &[id], Depends::NOTHING, "a size").then_some(())?;
            let number = self.fixed_number(id);
            if number < 0.0 {
                let error = Diagnostic::error("negative", format!("the {what} cannot be negative"))
                    .at(argument.span, format!("this is {number}"));
                self.report(error);
                return None;
            }
            sizes.push(id);
        }
        sizes.resize(most, Id::ZERO);
        let whole = match (&item.mass, mass, density) {
            (Some(first), Some(second), _) | (Some(first), _, Some(second)) | (None, Some(first), Some(second)) => {
                let error = Diagnostic::error("given-twice", "the mass is given twice")
                    .at(second.span, "given again")
                    .at(first.span, "given here first")
                    .help("remove one of them");
                self.report(error);
                return None;
            }
            (Some(given), ..) | (None, Some(given), None) => self.mass_of(given)?,
            (None, None, Some(density)) => self.mass_by_density(form, density, &sizes)?,
            (None, None, None) => {
                let error = Diagnostic::error("mass-missing", "this body has no mass")
                    .at(shape.span, "a shape without a mass")
                    .help(format!("write `{} of m`, or `of 0` for a body without mass", self.sources.text(shape.span)));
                self.report(error);
                return None;
            }
        };
        let mut inertia: Matrix = [ZERO; 3];
        for (axis, shares) in form.inertia.iter().enumerate() {
            let mut terms = Vec::new();
            for &(num, den, a, b) in *shares {
                let product = self.graph.multiply(sizes[a], sizes[b]);
                terms.push((Number::ratio(num, den)?, self.graph.multiply(whole, product)));
            }
            inertia[axis][axis] = self.graph.sum(&terms);
        }
        // In the plane everything that was placed from one point to another lies in the plane, with its first axis along the line.
        let is_along = item.placement.iter().any(|place| matches!(place, PlaceClause::Along(..)));
        if self.is_planar() && is_along && form.runs != Runs::First {
            let [across, _, along] = [0, 1, 2].map(|axis| inertia[axis][axis]);
            (inertia[0][0], inertia[2][2]) = (along, across);
        }
        let size = |i: usize| sizes.get(i).copied().unwrap_or(Id::ZERO);
        let body = &mut self.bodies.all[which];
        (body.mass, body.inertia) = (whole, inertia);
        body.shape = match name {
            "rod" => BodyShape::Rod { length: size(0) },
            "box" => BodyShape::Box { sizes: [size(0), size(1), size(2)] },
            "cylinder" => BodyShape::Cylinder { radius: size(0), height: size(1) },
            "disc" => BodyShape::Disc { radius: size(0) },
            "ball" => BodyShape::Ball { radius: size(0) },
            "hoop" => BodyShape::Hoop { radius: size(0) },
            _ => BodyShape::Cone { radius: size(0), height: size(1) },
        };
        Some((form.runs, form.length.and_then(|place| sizes.get(place).copied())))
    }

    /// The mean square of the distance of a body's material from its centre of mass: by its shape, else by inertia and mass; a body without
    /// extent counts as one of the size of the picture.
    pub(super) fn spread_of(&mut self, which: usize) -> Id {
        let body = &self.bodies.all[which];
        let (mass, inertia) = (body.mass, body.inertia);
        // Numerators and denominators of squares of sizes.
        let squares: Vec<(i128, i128, Id)> = match body.shape {
            BodyShape::Plain => Vec::new(),
            BodyShape::Rod { length } => vec![(1, 12, length)],
            BodyShape::Box { sizes } => sizes.map(|size| (1, 12, size)).to_vec(),
            BodyShape::Cylinder { radius, height } => vec![(1, 2, radius), (1, 12, height)],
            BodyShape::Disc { radius } => vec![(1, 2, radius)],
            BodyShape::Hoop { radius } => vec![(1, 1, radius)],
            BodyShape::Ball { radius } => vec![(3, 5, radius)],
            BodyShape::Cone { radius, height } => vec![(3, 10, radius), (3, 80, height)],
        };
        let mut terms: Vec<(Number, Id)> = Vec::new();
        for (num, den, size) in squares {
            terms.push((Number::ratio(num, den).unwrap_or(Number::ONE), self.graph.integer_power(size, 2)));
        }
        let found = self.graph.sum(&terms);
        if self.fixed_number(found) > 0.0 {
            return found;
        }
        // Half the trace of the inertia, or in the plane the one moment.
        let trace = self.graph.sum(&[0, 1, 2].map(|axis| (Number::ONE, inertia[axis][axis])));
        let share = if self.is_planar() { Number::ONE } else { Number::ratio(1, 2).unwrap_or(Number::ONE) };
        if self.fixed_number(mass) > 0.0 && self.fixed_number(trace) > 0.0 {
            let ratio = self.graph.divide(trace, mass);
            return self.graph.scale(share, ratio);
        }
        let extent = self.size_of(Measure::Length);
        self.graph.integer_power(extent, 2)
    }

    fn mass_of(&mut self, expression: &'a Expr) -> Option<Id> {
        let value = self.value(expression);
        let due = self.due(Dimension::MASS);
        let mass = self.scalar(expression, value, due, "the mass of a body")?;
        self.only(expression, &[mass], Depends::NOTHING, "the mass of a body").then_some(())?;
        let number = self.fixed_number(mass);
        if number < 0.0 {
            let error = Diagnostic::error("negative", "a mass cannot be negative")
                .at(expression.span, format!("this is {number}"));
            self.report(error);
            return None;
        }
        Some(mass)
    }

    fn mass_by_density(&mut self, form: &Form, density: &'a Expr, sizes: &[Id]) -> Option<Id> {
        let Some((num, den, pi, powers)) = form.volume else {
            let error = Diagnostic::error("no-volume", format!("a `{}` is thin: it has no volume", form.name))
                .at(density.span, "a density needs a volume")
                .help("give its mass: `of m`");
            self.report(error);
            return None;
        };
        let value = self.value(density);
        let volume = Dimension::LENGTH.power(3, 1)?;
        let due = self.due(Dimension::MASS.over(volume)?);
        let given = self.scalar(density, value, due, "a density")?;
        self.only(density, &[given], Depends::NOTHING, "a density").then_some(())?;
        let circle = self.graph.pi();
        let mut factors = vec![(given, 1), (circle, pi)];
        factors.retain(|&(_, power)| power != 0);
        factors.extend(sizes.iter().zip(powers).map(|(&size, &power)| (size, power)));
        Some(self.graph.product(Number::ratio(num, den)?, &factors))
    }

    /// `mass = m, inertia = (Jx, Jy, Jz), centre = (a, b, c)`
    fn given_inertia(
        &mut self,
        which: usize,
        item: &'a BodyItem,
        mass: Option<&'a Expr>,
        inertia: Option<&'a Expr>,
        centre: Option<&'a Expr>,
    ) -> Option<()> {
        let Some(mass) = mass.or(item.mass.as_ref()) else {
            let error = Diagnostic::error("mass-missing", "this body has no mass")
                .at(item.target.span, "neither a shape nor a mass")
                .help("write `mass = m, inertia = (Jx, Jy, Jz)`, or a shape such as `rod(L) of m`");
            self.report(error);
            return None;
        };
        let mass = self.mass_of(mass)?;
        let moments = match inertia {
            Some(expression) => self.moments(expression)?,
            None => {
                if self.fixed_number(mass) > 0.0 {
                    let warning = Diagnostic::warning("inertia-missing", "this body has a mass and no inertia")
                        .at(item.target.span, "nothing resists its turning about its centre of mass")
                        .help("write `inertia = …`, or `inertia = 0` for a body that is meant to be a point");
                    self.report(warning);
                }
                [ZERO; 3]
            }
        };
        let centre = match centre {
            Some(expression) => {
                let length = self.due(Dimension::LENGTH);
                let centre = self.picture_vector(expression, Some(length), "the centre of mass")?;
                self.only(expression, &centre, Depends::NOTHING, "the centre of mass").then_some(())?;
                centre
            }
            None => ZERO,
        };
        let body = &mut self.bodies.all[which];
        (body.mass, body.inertia, body.centre) = (mass, moments, centre);
        Some(())
    }

    /// A number in the plane; three numbers, or a symmetric matrix.
    fn moments(&mut self, expression: &'a Expr) -> Option<Matrix> {
        let value = self.value(expression)?;
        let square = Dimension::LENGTH.power(2, 1)?;
        let due = self.due(Dimension::MASS.times(square)?);
        let mut result = [ZERO; 3];
        match &value.data {
            Data::Scalar(_) if self.is_planar() || value.is_bare_zero() => {
                let moment = self.scalar(expression, Some(value), due, "the moment of inertia")?;
                result[2][2] = moment;
            }
            Data::Vector(all) if all.len() == 3 && !self.is_planar() => {
                let all = self.point(expression, Some(value), due, "the moments of inertia")?;
                (0..3).for_each(|i| result[i][i] = all[i]);
            }
            Data::List(rows) if rows.len() == 3 && !self.is_planar() => {
                for (i, row) in rows.iter().enumerate() {
                    let entries = row.components();
                    if entries.len() != 3 {
                        return self.wrong_inertia(expression);
                    }
                    (0..3).for_each(|j| result[j][i] = entries[j]);
                }
                for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                    let apart = self.graph.subtract(result[i][j], result[j][i]);
                    if self.numbers(&[apart])[0] != 0.0 {
                        let error = Diagnostic::error("not-symmetric", "a matrix of inertia must be symmetric").at(
                            expression.span,
                            format!("row {}, column {} differs from row {}, column {}", i + 1, j + 1, j + 1, i + 1),
                        );
                        self.report(error);
                        return None;
                    }
                }
            }
            _ => return self.wrong_inertia(expression),
        }
        let all: Vec<Id> = result.iter().flatten().copied().collect();
        self.only(expression, &all, Depends::NOTHING, "an inertia").then_some(())?;
        self.check_moments(expression, result)?;
        Some(result)
    }

    fn wrong_inertia(&mut self, expression: &'a Expr) -> Option<Matrix> {
        let error = Diagnostic::error("wrong-length", "this is no inertia").at(
            expression.span,
            if self.is_planar() { "the mechanism lies in a plane" } else { "the mechanism lies in space" },
        );
        let error = match self.is_planar() {
            true => error.help("in the plane it is one number: `inertia = J`"),
            false => error.help("write three moments, `inertia = (Jx, Jy, Jz)`, or a matrix `[[…], […], […]]`"),
        };
        self.report(error);
        None
    }

    /// No body has a moment of inertia that is larger than the sum of the two others.
    fn check_moments(&mut self, expression: &'a Expr, inertia: Matrix) -> Option<()> {
        if self.is_planar() {
            return self.check_moment(expression, inertia[2][2]);
        }
        let numbers: Vec<f64> = self.numbers(&inertia.iter().flatten().copied().collect::<Vec<Id>>());
        let matrix = [0, 1, 2].map(|i| [0, 1, 2].map(|j| numbers[3 * i + j]));
        let principal = eigenvalues(matrix);
        let size = principal.iter().fold(0.0_f64, |all, one| all.max(one.abs()));
        let text = principal.map(super::place::shown).join(", ");
        if principal[0] < -1e-12 * size {
            let error = Diagnostic::error("negative", "a moment of inertia cannot be negative")
                .at(expression.span, format!("the principal moments are {text}"));
            self.report(error);
            return None;
        }
        if principal[0] + principal[1] < principal[2] * (1.0 - 1e-9) {
            let error = Diagnostic::error("impossible-inertia", "no body has this inertia")
                .at(expression.span, format!("the principal moments are {text}"))
                .note(
                    "the largest moment of a body is at most the sum of the two others; it is the sum for a flat plate",
                )
                .help("look at the axes, and whether the moments are about the centre of mass");
            self.report(error);
            return None;
        }
        Some(())
    }

    fn check_moment(&mut self, expression: &'a Expr, moment: Id) -> Option<()> {
        let number = self.numbers(&[moment])[0];
        if number < 0.0 {
            let error = Diagnostic::error("negative", "a moment of inertia cannot be negative")
                .at(expression.span, format!("this is {number}"));
            self.report(error);
            return None;
        }
        Some(())
    }
}

/// The eigenvalues of a symmetric matrix, smallest first, by Jacobi's rotations.
fn eigenvalues(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    for _ in 0..30 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if a[i][j] == 0.0 {
                continue;
            }
            let theta = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                (row[i], row[j]) = (c * row[i] - s * row[j], s * row[i] + c * row[j]);
            }
            let (first, second) = (a[i], a[j]);
            for k in 0..3 {
                a[i][k] = c * first[k] - s * second[k];
                a[j][k] = s * first[k] + c * second[k];
            }
        }
    }
    let mut found = [a[0][0], a[1][1], a[2][2]];
    found.sort_by(f64::total_cmp);
    found
}
