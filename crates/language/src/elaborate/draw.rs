//! `draw`: which shape, of which points, with which options.

use super::Elaborator;
use super::value::{Data, Value};
use crate::diagnostic::Diagnostic;
use crate::drawing::{COLORS, Color, Drawing, DrawnShape, Stroke};
use crate::names::closest;
use crate::source::Span;
use crate::syntax::{Binder, DrawItem, Expr, ExprKind};
use crate::units::Dimension;
use holonom_symbols::expr::{Depends, Id};

/// Coils that a spring may have: more would be a grey bar.
const MOST_COILS: i64 = 100;

impl<'a> Elaborator<'a> {
    pub(super) fn draw(&mut self, item: &'a DrawItem) {
        let shape = self.drawn_shape(item);
        if let Some(shape) = shape {
            self.check_draw(shape, item);
        }
        let binders: Vec<&'a Binder> = item.binders.iter().collect();
        // The members of a family of `path` are points of one curve.
        let one_curve = shape == Some(DrawnShape::Path) && !binders.is_empty();
        let first = self.model.drawings.len();
        self.over(&binders, item.condition.as_ref(), item.span, &mut |this, _| {
            let points = this.drawn_points(item);
            if let Some(shape) = shape
                && let Some(mut drawing) = this.drawn_options(shape, item)
                && let Some(points) = points
            {
                match this.model.drawings.get_mut(first) {
                    Some(curve) if one_curve => curve.points.extend(points),
                    _ => {
                        drawing.points = points;
                        this.model.drawings.push(drawing);
                    }
                }
            }
            this.count_members(1, item.span).then_some(())
        });
    }

    fn drawn_shape(&mut self, item: &DrawItem) -> Option<DrawnShape> {
        let (word, span) = (item.shape.text.as_str(), item.shape.span);
        let names = DrawnShape::ALL.map(DrawnShape::name);
        if let Some(which) = names.iter().position(|name| *name == word) {
            return Some(DrawnShape::ALL[which]);
        }
        let error = Diagnostic::error("unknown-shape", format!("there is no shape `{word}` to draw"));
        let error = match closest(word, names) {
            Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right),
            None => error.at(span, "not known"),
        };
        let all = names.map(|name| format!("`{name}`")).join(", ");
        self.report(error.help(format!("what can be drawn is {all}")));
        None
    }

    /// What can be said without looking at any value: how many points there are, and which options.
    fn check_draw(&mut self, shape: DrawnShape, item: &'a DrawItem) {
        let (name, count) = (shape.name(), item.arguments.len());
        let (least, most) = shape.points();
        let in_family = shape == DrawnShape::Path && !item.binders.is_empty();
        let least = if in_family { 1 } else { least };
        if count < least || count > most {
            let number = |count: usize| if count == 1 { "1 point".to_string() } else { format!("{count} points") };
            let due = if most == least { number(least) } else { format!("at least {}", number(least)) };
            let span = item.arguments.get(most).map_or(item.shape.span, |extra| extra.span);
            let error = Diagnostic::error("arguments", format!("`draw {name}` takes {due}"))
                .at(span, format!("{} given", if count == 0 { "none".to_string() } else { number(count) }))
                .help(match shape {
                    DrawnShape::Point | DrawnShape::Trace => format!("write `draw {name} p`, one statement for each"),
                    DrawnShape::Body => "write `draw body p, radius = R`; numbers are given as options".to_string(),
                    DrawnShape::Spring => "write `draw spring p q`".to_string(),
                    DrawnShape::Line => "write `draw line p q`".to_string(),
                    DrawnShape::Path => "write `draw path p q`, or a curve `draw[i in 0..60] path p[i]`".to_string(),
                    DrawnShape::Polygon => "write `draw polygon p q r`".to_string(),
                    DrawnShape::Ground => {
                        "write `draw ground p` for a support, `draw ground p q` for a floor".to_string()
                    }
                });
            self.report(error);
        }
        for (place, option) in item.options.iter().enumerate() {
            let (word, span) = (option.name.text.as_str(), option.name.span);
            let known = shape.options();
            if !known.contains(&word) {
                let error = Diagnostic::error("unknown-option", format!("`draw {name}` has no option `{word}`"));
                let error = match closest(word, known.iter().copied()) {
                    Some(right) => error.at(span, format!("did you mean `{right}`?")).suggest(span, right),
                    None => error.at(span, "not known"),
                };
                let all: Vec<String> = known.iter().map(|option| format!("`{option} =`")).collect();
                self.report(error.help(format!("the options of `draw {name}` are {}", all.join(", "))));
            } else if item.options[..place].iter().any(|before| before.name.text == word) {
                self.report(
                    Diagnostic::error("given-twice", format!("`{word}` is given twice")).at(span, "given again"),
                );
            }
        }
        if shape == DrawnShape::Body {
            self.check_body(item);
        }
    }

    /// A body is round or a box, and says how large it is.
    fn check_body(&mut self, item: &'a DrawItem) {
        let given = |name: &str| item.options.iter().find(|option| option.name.text == name);
        let (radius, width, height) = (given("radius"), given("width"), given("height"));
        let help = "write `radius = R` for a disc or a ball, or `width = W, height = H` for a box";
        let wrong: (&str, Span, &str) = match (radius, width.or(height)) {
            (None, None) => ("this body has no size", item.shape.span, "how large?"),
            (Some(_), Some(other)) => {
                ("a body is a disc or a box, not both", other.name.span, "together with `radius`")
            }
            (None, Some(one)) if width.is_none() || height.is_none() => {
                ("a box needs `width` and `height`", one.name.span, "one of them")
            }
            (None, Some(_)) => match given("axis") {
                Some(axis) => ("only a disc has an axis", axis.name.span, "this body is a box"),
                None => return,
            },
            (Some(_), None) => return,
        };
        self.report(Diagnostic::error("body-size", wrong.0).at(wrong.1, wrong.2).help(help));
    }

    fn drawn_points(&mut self, item: &'a DrawItem) -> Option<Vec<Vec<Id>>> {
        let points: Vec<Option<Vec<Id>>> = item
            .arguments
            .iter()
            .map(|one| {
                let point = self.drawn_vector(one, Dimension::LENGTH, "a point of a drawing")?;
                self.point_into_world(point, one.span)
            })
            .collect();
        points.into_iter().collect()
    }

    fn seen() -> Depends {
        Depends::TIME | Depends::POSITION | Depends::VELOCITY
    }

    fn drawn_vector(&mut self, expression: &'a Expr, dimension: Dimension, what: &str) -> Option<Vec<Id>> {
        let value = self.value(expression);
        let due = self.due(dimension);
        let components = self.point(expression, value, due, what)?;
        self.only(expression, &components, Self::seen(), what).then_some(components)
    }

    /// A drawing without points, with the options as they are at the indices at hand. Options that the shape does not know
    /// were reported already.
    fn drawn_options(&mut self, shape: DrawnShape, item: &'a DrawItem) -> Option<Drawing> {
        let mut drawing = Drawing {
            shape,
            points: vec![],
            color: None,
            label: None,
            fill: None,
            stroke: None,
            radius: None,
            size: None,
            angle: None,
            axis: None,
            coils: None,
            length: None,
            span: item.span,
        };
        let (mut width, mut height) = (None, None);
        let mut good = true;
        for option in &item.options {
            let value = &option.value;
            let name = option.name.text.as_str();
            if !shape.options().contains(&name) {
                continue;
            }
            let read = match name {
                "color" => self.color(value).map(|color| drawing.color = Some(color)),
                "label" => self.label(value).map(|label| drawing.label = Some(label)),
                "fill" => self.word(option, &[("yes", true), ("no", false)]).map(|fill| drawing.fill = Some(fill)),
                "width" if shape != DrawnShape::Body => self
                    .word(option, &Stroke::ALL.map(|stroke| (stroke.name(), stroke)))
                    .map(|stroke| drawing.stroke = Some(stroke)),
                "radius" => {
                    self.positive(value, Dimension::LENGTH, "a radius").map(|radius| drawing.radius = Some(radius))
                }
                "width" => self.positive(value, Dimension::LENGTH, "a width").map(|id| width = Some(id)),
                "height" => self.positive(value, Dimension::LENGTH, "a height").map(|id| height = Some(id)),
                "length" => self
                    .positive(value, Dimension::TIME, "the length of a trace")
                    .map(|length| drawing.length = Some(length)),
                "coils" => self.coils(value).map(|coils| drawing.coils = Some(coils)),
                "angle" => self.angle(value).map(|angle| drawing.angle = Some(angle)),
                _ => self.axis(value).map(|axis| drawing.axis = Some(axis)),
            };
            good &= read.is_some();
        }
        drawing.size = width.zip(height);
        good.then_some(drawing)
    }

    fn color(&mut self, value: &'a Expr) -> Option<Color> {
        let (ExprKind::Name(text) | ExprKind::Text(text)) = &value.kind else {
            let error = Diagnostic::error("unknown-option", "a colour is a name, or \"#rrggbb\" in quotes")
                .at(value.span, "neither")
                .help(format!("the names are {}", COLORS.join(", ")));
            self.report(error);
            return None;
        };
        if let Some(color) = Color::from_text(text) {
            return Some(color);
        }
        let error = Diagnostic::error("unknown-option", format!("there is no colour `{text}`"));
        let error = match closest(text, COLORS) {
            Some(right) => error.at(value.span, format!("did you mean `{right}`?")).suggest(value.span, right),
            None => error.at(value.span, "not known"),
        };
        self.report(error.help(format!("the names are {}; others are written \"#rrggbb\"", COLORS.join(", "))));
        None
    }

    fn label(&mut self, value: &'a Expr) -> Option<String> {
        if let ExprKind::Text(text) = &value.kind {
            return Some(text.clone());
        }
        let written = self.sources.text(value.span);
        let quoted = format!("\"{}\"", written.replace('"', ""));
        let error = Diagnostic::error("unknown-option", "a label is text in quotes")
            .at(value.span, "no quotes")
            .suggest(value.span, quoted);
        self.report(error);
        None
    }

    fn coils(&mut self, value: &'a Expr) -> Option<u32> {
        let count = self.integer(value)?;
        if (1..=MOST_COILS).contains(&count) {
            return u32::try_from(count).ok();
        }
        let error = Diagnostic::error("out-of-range", format!("a spring has 1 to {MOST_COILS} coils"))
            .at(value.span, format!("this is {count}"));
        self.report(error);
        None
    }

    fn angle(&mut self, value: &'a Expr) -> Option<Id> {
        let found = self.value(value);
        let id = self.scalar(value, found, Dimension::NUMBER, "an angle")?;
        self.only(value, &[id], Self::seen(), "an angle").then(|| self.angle_into_world(id))
    }

    /// A direction in space, of any dimension.
    fn axis(&mut self, value: &'a Expr) -> Option<[Id; 3]> {
        let found: Value = self.value(value)?;
        let Data::Vector(components) = &found.data else {
            let error = Diagnostic::error("vector-expected", "an axis must be a vector")
                .at(value.span, format!("this is {}", found.kind()))
                .help("write its three components: `axis = (0, 0, 1)`");
            self.report(error);
            return None;
        };
        let Ok(axis) = <[Id; 3]>::try_from(components.as_slice()) else {
            let error = Diagnostic::error("shape-mismatch", "an axis has three components")
                .at(value.span, format!("this is {}", found.kind()))
                .help("in the plane a disc needs no axis: it is turned by `angle`");
            self.report(error);
            return None;
        };
        self.only(value, &axis, Self::seen(), "an axis").then(|| self.direction_into_world(axis))
    }
}
