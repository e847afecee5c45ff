//! Whole figures: both outputs are well formed whatever the data.

use holonom_figure::{Figure, Frame, FrameShape, Line, Mark, Panel, PictureFigure, Plot, ShapeKind, Theme, Weight};

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, n: u64) -> usize {
        (self.next() % n) as usize
    }

    /// Numbers as they come from runs that went wrong.
    fn number(&mut self) -> f64 {
        let plain = self.next() as f64 / f64::from(1u32 << 31) - 0.5;
        match self.below(14) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => 0.0,
            4 => -0.0,
            5 => f64::MAX,
            6 => f64::MIN_POSITIVE / 8.0,
            7 => plain * 1e300,
            8 => plain * 1e-300,
            9 => 1.0 + plain * 1e-15,
            10 => 1e16 + plain,
            _ => plain,
        }
    }

    /// A list that is hostile, tame or constant.
    fn list(&mut self, n: usize) -> Vec<f64> {
        let scale = [1.0, 1e-200, 1e200, 0.0, 1e5][self.below(5)];
        let hostile = self.below(2) == 0;
        let value = |dice: &mut Dice, i: usize| if hostile { dice.number() } else { scale * (i as f64 / 7.0).sin() };
        (0..n).map(|i| value(self, i)).collect()
    }

    fn text(&mut self) -> String {
        let texts =
            ["", "θ\u{307}₁", "<&\"'>", "\u{0}\u{7}\u{fffe}", "]]>", "\u{307}", "t [s]", "日本 \u{1f600}", "a\nb"];
        match self.below(12) {
            0 => "long ".repeat(300),
            i => texts[i % texts.len()].to_string(),
        }
    }

    fn plot(&mut self) -> Plot {
        let lines = (0..self.below(15)).map(|_| {
            let (n, m) = (self.below(300), self.below(300));
            Line { label: self.text(), x: self.list(n), y: self.list(m) }
        });
        let lines = lines.collect();
        let marks = (0..self.below(20)).map(|_| Mark { x: self.number(), label: self.text() }).collect();
        Plot {
            title: Some(self.text()),
            x_label: self.text(),
            y_label: self.text(),
            log_y: self.below(2) == 0,
            lines,
            marks,
        }
    }

    fn shape(&mut self) -> FrameShape {
        use ShapeKind::*;
        let hostile = self.below(2) == 0;
        let number = |dice: &mut Dice| if hostile { dice.number() } else { dice.below(1000) as f64 / 500.0 - 1.0 };
        let points = (0..self.below(6)).map(|_| [number(self), number(self), number(self)]).collect();
        let maybe = |dice: &mut Dice| (dice.below(2) == 0).then(|| number(dice));
        FrameShape {
            kind: [Point, Line, Path, Spring, Trace, Polygon, Body, Body][self.below(8)],
            points,
            color: Some(["red", "#12ab9F", "nothing", "white"][self.below(4)].to_string()),
            label: Some(self.text()),
            radius: maybe(self),
            width: maybe(self),
            height: maybe(self),
            angle: maybe(self),
            axis: maybe(self).map(|v| [v, number(self), number(self)]),
            coils: Some(self.next() as u32),
            line: Some(Weight::Thick),
            fill: None,
        }
    }

    fn picture(&mut self) -> PictureFigure {
        let frame =
            |dice: &mut Dice| Frame { time: dice.number(), shapes: (0..dice.below(8)).map(|_| dice.shape()).collect() };
        let frames = (0..self.below(5)).map(|_| frame(self)).collect();
        let unit = Some(self.text());
        PictureFigure {
            title: None,
            spatial: self.below(2) == 0,
            unit,
            time_unit: Some(self.text()),
            frames,
            seen: Vec::new(),
        }
    }

    fn figure(&mut self) -> Figure {
        let panel = |dice: &mut Dice| match dice.below(2) {
            0 => Panel::Plot(dice.plot()),
            _ => Panel::Picture(dice.picture()),
        };
        Figure {
            title: Some(self.text()),
            width: [0, 130, 720, 1500][self.below(4)],
            height: [0, 100, 420, 900][self.below(4)],
            theme: [Theme::Light, Theme::Dark][self.below(2)],
            columns: [None, Some(0), Some(2), Some(99)][self.below(4)],
            panels: (0..self.below(5)).map(|_| panel(self)).collect(),
        }
    }
}

/// Checks that a text is XML, that its numbers are numbers, and that nothing is far outside the page.
fn check_svg(svg: &str) {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    for node in document.descendants().filter(|n| n.is_element()) {
        let name = node.tag_name().name();
        assert!(["svg", "title", "desc", "path", "circle", "text"].contains(&name), "element {name}");
        for attribute in node.attributes() {
            let (key, value) = (attribute.name(), attribute.value());
            assert!(!value.contains("NaN") && !value.contains("inf") && !value.contains("://"), "{key}={value}");
            if ["x", "y", "cx", "cy", "r", "width", "height", "font-size", "stroke-width"].contains(&key) {
                let number: f64 = value.parse().expect("a number");
                assert!(number.abs() < 2e4, "{key}={value}");
            }
        }
        if let Some(d) = node.attribute("d") {
            let numbers = d.replace(['M', 'l', 'z', 'H', 'V'], " ").replace('-', " -");
            assert!(numbers.split_whitespace().all(|n| n.parse::<f64>().is_ok_and(f64::is_finite)), "{d}");
        }
    }
}

/// Checks that bytes are a PNG of the size expected, and returns how many different colours it has.
fn colours(png: &[u8], size: (u32, u32)) -> usize {
    let image = tiny_skia::Pixmap::decode_png(png).expect("a PNG");
    assert_eq!((image.width(), image.height()), size);
    image.pixels().iter().map(|p| (p.red(), p.green(), p.blue())).collect::<std::collections::BTreeSet<_>>().len()
}

fn sine(n: usize) -> Line {
    let x: Vec<f64> = (0..n).map(|i| 10.0 * i as f64 / n as f64).collect();
    Line { label: "sin t".into(), y: x.iter().map(|x| x.sin()).collect(), x }
}

fn plain(lines: Vec<Line>) -> Figure {
    let plot = Plot { x_label: "t [s]".into(), y_label: "θ\u{307} [rad/s]".into(), lines, ..Plot::default() };
    Figure { title: Some("A figure".into()), panels: vec![Panel::Plot(plot)], ..Figure::default() }
}

#[test]
fn hostile_figures_are_well_formed() {
    let mut dice = Dice(2026);
    for _ in 0..400 {
        check_svg(&dice.figure().svg());
    }
}

#[test]
fn hostile_figures_become_pictures() {
    let mut dice = Dice(5);
    for _ in 0..40 {
        let figure = dice.figure();
        let size = (figure.width.clamp(120, 8000), figure.height.clamp(90, 8000));
        colours(&figure.png(1.0), size);
    }
}

#[test]
fn both_outputs_show_the_line() {
    let figure = plain(vec![sine(1000)]);
    let svg = figure.svg();
    check_svg(&svg);
    for text in ["A figure", "t [s]", "θ\u{307} [rad/s]", "−1.0", "sin t", "over t [s] from 0 to 9.99"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(colours(&figure.png(2.0), (1440, 840)) > 50);
    for scale in [f64::NAN, -3.0, 1e9] {
        assert!(figure.png(scale).starts_with(b"\x89PNG"), "scale {scale}");
    }
}

#[test]
fn a_long_line_makes_a_small_file() {
    let svg = plain(vec![sine(500_000)]).svg();
    assert!(svg.len() < 12_000, "{} bytes", svg.len());
}

#[test]
fn the_same_figure_has_the_same_bytes() {
    let figures = [Dice(9).figure(), Dice(9).figure()];
    assert_eq!(figures[0].svg(), figures[1].svg());
    assert_eq!(figures[0].png(1.0), figures[1].png(1.0));
}

/// Zeros and negative residuals have no logarithm: they are gaps, and do not move the axis.
#[test]
fn decades_leave_out_what_is_not_positive() {
    let y = vec![1e-9, 0.0, 1e-8, -1.0, f64::NAN, 1e-7, 2e-7];
    let line = Line { label: String::new(), x: (0..7).map(f64::from).collect(), y };
    let plot = Plot { log_y: true, lines: vec![line], ..Plot::default() };
    let svg = Figure { panels: vec![Panel::Plot(plot)], ..Figure::default() }.svg();
    assert!(svg.contains("10⁻⁹") && svg.contains("10⁻⁶") && !svg.contains("10⁻¹⁰"));
    assert_eq!(svg.matches("<circle").count(), 2, "single points are dots");
}

/// What does not move is drawn once, and of the early frames only what moves.
#[test]
fn scenery_is_drawn_once() {
    let frame = |i: i32| {
        let a = 0.3 * f64::from(i);
        let bob = [a.sin(), -a.cos(), 0.0];
        let ground = FrameShape {
            kind: ShapeKind::Path,
            points: vec![[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0]],
            ..FrameShape::default()
        };
        let wheel = FrameShape {
            kind: ShapeKind::Body,
            points: vec![bob],
            radius: Some(0.2),
            angle: Some(a),
            ..FrameShape::default()
        };
        let pivot = FrameShape { points: vec![[0.0; 3]], ..FrameShape::default() };
        Frame { time: a, shapes: vec![ground, wheel, pivot] }
    };
    for spatial in [false, true] {
        let picture = PictureFigure { spatial, frames: (0..4).map(frame).collect(), ..PictureFigure::default() };
        let figure = Figure { panels: vec![Panel::Picture(picture)], ..Figure::default() };
        let svg = figure.svg();
        check_svg(&svg);
        assert_eq!(svg.matches("<circle").count(), 5, "four wheels and one pivot");
        assert!(svg.contains("t = 0 … 0.9, 4 frames"));
        assert!(colours(&figure.png(1.0), (720, 420)) > 20);
    }
}

/// The bar is as long as its number says, however large lengths are.
#[test]
fn the_bar_tells_the_length_of_huge_mechanisms() {
    for (size, bar) in [(4.0, "1 m"), (4e150, "1×10¹⁵⁰ m"), (4e260, "1×10²⁶⁰ m")] {
        let rod = FrameShape {
            kind: ShapeKind::Line,
            points: vec![[0.0; 3], [size, size / 2.0, 0.0]],
            ..FrameShape::default()
        };
        let frames = vec![Frame { time: 0.0, shapes: vec![rod] }];
        let picture = PictureFigure { frames, unit: Some("m".into()), ..PictureFigure::default() };
        let svg = Figure { panels: vec![Panel::Picture(picture)], ..Figure::default() }.svg();
        assert!(svg.contains(&format!(">{bar}<")), "{bar} is not in {svg}");
    }
}
