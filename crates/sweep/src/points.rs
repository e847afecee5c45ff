//! Which values parameters take: a grid, lists, draws at random, or the rows of a table.
//!
//! A point is computed from its number alone, so that millions of them take no memory and every worker finds its own.

use std::fmt;

use holonom_symbols::expr::Function;

/// So many points a sweep has at most.
pub const MOST_POINTS: u64 = 10_000_000;

/// What one parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValues {
    /// Equal steps from one end to the other, both included; or equal ratios.
    Grid {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// How many.
        count: u64,
        /// Ratios instead of steps.
        logarithmic: bool,
    },
    /// These; at random, each as likely as the others.
    List(Vec<f64>),
    /// Drawn evenly between two numbers, or between their logarithms.
    Uniform {
        /// The least.
        from: f64,
        /// The greatest.
        to: f64,
        /// Logarithms are drawn evenly.
        logarithmic: bool,
    },
    /// Drawn from a normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
    },
}

/// A parameter and what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// The parameter.
    pub name: String,
    /// What it takes.
    pub values: ParameterValues,
}

/// The points of a sweep, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    names: Vec<String>,
    kind: Kind,
    count: u64,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// All combinations; the last parameter changes fastest.
    Product(Vec<ParameterValues>),
    Random(Vec<ParameterValues>, u64),
    /// Row by row.
    Table(Vec<f64>),
}

/// Why there are no such points.
#[derive(Clone, Debug, PartialEq)]
pub enum PointsError {
    /// No parameter is varied.
    Nothing,
    /// A parameter is varied twice.
    Twice(String),
    /// A parameter takes no value at all, or there is no point.
    Empty(Option<String>),
    /// There are too many.
    TooMany(u128),
    /// A range without a count, and nothing is drawn.
    WithoutCount(String),
    /// A grid, where points are drawn.
    WithCount(String),
    /// Ratios need numbers above zero.
    NotPositive(String),
    /// A deviation is below zero.
    Deviation(String),
    /// A number is not finite, or a range is too wide to be one.
    NotFinite(String),
    /// A row of a table does not have as many numbers as there are names: which, how many, of how many.
    Row(usize, usize, usize),
}

impl fmt::Display for PointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "nothing is varied; say for example `--vary L=0.5:2:100` or `--vary m=1,2,5`"),
            Self::Twice(name) => write!(f, "`{name}` is varied twice"),
            Self::Empty(Some(name)) => write!(f, "`{name}` takes no value at all"),
            Self::Empty(None) => write!(f, "there is no point to run"),
            Self::TooMany(count) => write!(f, "these are {count} points, and a sweep has {MOST_POINTS} at most"),
            Self::WithoutCount(name) => write!(
                f,
                "how many values does `{name}` take? write `{name}=FROM:TO:COUNT`, or draw them with `--random COUNT`"
            ),
            Self::WithCount(name) => write!(
                f,
                "`{name}` is a grid, and points are drawn at random: write `{name}=FROM:TO`, or leave `--random` away"
            ),
            Self::NotPositive(name) => write!(f, "`{name}` goes by ratios, and needs ends above zero"),
            Self::Deviation(name) => write!(f, "the deviation of `{name}` is below zero"),
            Self::NotFinite(name) => write!(f, "a value of `{name}` is not a finite number"),
            Self::Row(row, has, needs) => write!(f, "row {row} has {has} numbers, and there are {needs} names"),
        }
    }
}

impl std::error::Error for PointsError {}

impl Points {
    /// All combinations of the values. The last parameter changes fastest.
    ///
    /// ```
    /// use holonom_sweep::{Points, ParameterValues, Vary};
    ///
    /// let grid = ParameterValues::Grid { from: 1.0, to: 2.0, count: 3, logarithmic: false };
    /// let list = ParameterValues::List(vec![5.0, 7.0]);
    /// let points = Points::product(vec![
    ///     Vary { name: "L".into(), values: grid },
    ///     Vary { name: "m".into(), values: list },
    /// ])?;
    /// assert_eq!((points.count(), points.at(3)), (6, vec![1.5, 7.0]));
    /// # Ok::<(), holonom_sweep::PointsError>(())
    /// ```
    ///
    /// # Errors
    /// Where a parameter takes no values, or values that are to be drawn, and where there are too many points.
    pub fn product(vary: Vec<Vary>) -> Result<Self, PointsError> {
        let mut count: u128 = 1;
        for Vary { name, values } in &vary {
            let own = match values {
                ParameterValues::Grid { count, .. } => *count,
                ParameterValues::List(list) => list.len() as u64,
                ParameterValues::Uniform { .. } | ParameterValues::Normal { .. } => {
                    return Err(PointsError::WithoutCount(name.clone()));
                }
            };
            if own == 0 {
                return Err(PointsError::Empty(Some(name.clone())));
            }
            count = count.saturating_mul(own.into());
        }
        Self::of(vary, count, Kind::Product)
    }

    /// Points drawn at random. A seed gives the same points every time, and the first of many are those of few.
    ///
    /// # Errors
    /// Where a parameter is a grid, and where there are no points or too many.
    pub fn random(vary: Vec<Vary>, count: u64, seed: u64) -> Result<Self, PointsError> {
        for Vary { name, values } in &vary {
            match values {
                ParameterValues::Grid { .. } => return Err(PointsError::WithCount(name.clone())),
                ParameterValues::List(list) if list.is_empty() => return Err(PointsError::Empty(Some(name.clone()))),
                _ => {}
            }
        }
        Self::of(vary, count.into(), |values| Kind::Random(values, seed))
    }

    /// The rows of a table, one after the other.
    ///
    /// # Errors
    /// Where there are no rows or too many, or one does not fit.
    pub fn table(names: Vec<String>, rows: &[Vec<f64>]) -> Result<Self, PointsError> {
        if let Some((which, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != names.len()) {
            return Err(PointsError::Row(which + 1, row.len(), names.len()));
        }
        let all: Vec<f64> = rows.concat();
        if let Some(bad) = all.iter().position(|value| !value.is_finite()) {
            return Err(PointsError::NotFinite(names[bad % names.len()].clone()));
        }
        let vary = names.into_iter().map(|name| Vary { name, values: ParameterValues::List(Vec::new()) }).collect();
        Self::of(vary, rows.len() as u128, |_| Kind::Table(all))
    }

    fn of(vary: Vec<Vary>, count: u128, kind: impl FnOnce(Vec<ParameterValues>) -> Kind) -> Result<Self, PointsError> {
        if vary.is_empty() {
            return Err(PointsError::Nothing);
        }
        for (place, Vary { name, values }) in vary.iter().enumerate() {
            if vary[..place].iter().any(|before| before.name == *name) {
                return Err(PointsError::Twice(name.clone()));
            }
            values.check(name)?;
        }
        if count == 0 {
            return Err(PointsError::Empty(None));
        }
        let fitting = u64::try_from(count).ok().filter(|count| *count <= MOST_POINTS);
        let Some(count) = fitting else { return Err(PointsError::TooMany(count)) };
        let (names, values) = vary.into_iter().map(|one| (one.name, one.values)).unzip();
        Ok(Self { names, kind: kind(values), count })
    }

    /// The parameters, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The values at a point; points count from 0.
    pub fn at(&self, point: u64) -> Vec<f64> {
        let width = self.names.len();
        match &self.kind {
            Kind::Product(all) => {
                let mut values = vec![0.0; width];
                let mut rest = point;
                for (value, of) in values.iter_mut().zip(all).rev() {
                    let count = of.count().max(1);
                    *value = of.at(rest % count);
                    rest /= count;
                }
                values
            }
            Kind::Random(all, seed) => {
                all.iter().zip(0..).map(|(of, place)| of.draw(&mut Draws::new(*seed, point, place))).collect()
            }
            Kind::Table(rows) => {
                let begin = usize::try_from(point).unwrap_or(usize::MAX).saturating_mul(width);
                rows.get(begin..begin + width).map_or_else(|| vec![f64::NAN; width], <[f64]>::to_vec)
            }
        }
    }

    /// Everything that decides on the points, to the bit: two sweeps with the same text have the same points.
    pub fn text(&self) -> String {
        let names = |all: &[ParameterValues]| -> Vec<String> {
            self.names.iter().zip(all).map(|(name, values)| format!("{name}={values}")).collect()
        };
        match &self.kind {
            Kind::Product(all) => format!("product {}", names(all).join(" ")),
            Kind::Random(all, seed) => format!("random {} seed {seed} {}", self.count, names(all).join(" ")),
            Kind::Table(rows) => {
                let bytes: Vec<u8> = rows.iter().flat_map(|value| value.to_bits().to_le_bytes()).collect();
                format!("table {} of {} {:08x}", self.names.join(","), self.count, super::journal::crc32(&bytes))
            }
        }
    }
}

impl fmt::Display for ParameterValues {
    /// As it is said on the command line, in SI units.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let log = |yes: &bool| if *yes { "log:" } else { "" };
        match self {
            Self::Grid { from, to, count, logarithmic } => write!(f, "{}{from:?}:{to:?}:{count}", log(logarithmic)),
            Self::List(list) => {
                let list: Vec<String> = list.iter().map(|value| format!("{value:?}")).collect();
                f.write_str(&list.join(","))
            }
            Self::Uniform { from, to, logarithmic } => write!(f, "{}{from:?}:{to:?}", log(logarithmic)),
            Self::Normal { mean, deviation } => write!(f, "normal({mean:?},{deviation:?})"),
        }
    }
}

impl ParameterValues {
    /// How many there are; none where they are drawn.
    fn count(&self) -> u64 {
        match self {
            Self::Grid { count, .. } => *count,
            Self::List(list) => list.len() as u64,
            Self::Uniform { .. } | Self::Normal { .. } => 0,
        }
    }

    fn check(&self, name: &str) -> Result<(), PointsError> {
        let (numbers, ratios) = match self {
            Self::Grid { from, to, logarithmic, .. } | Self::Uniform { from, to, logarithmic } => {
                (vec![*from, *to, to - from], *logarithmic)
            }
            Self::List(list) => (list.clone(), false),
            Self::Normal { mean, deviation } => (vec![*mean, *deviation], false),
        };
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(PointsError::NotFinite(name.into()));
        }
        if ratios && (numbers[0] <= 0.0 || numbers[1] <= 0.0) {
            return Err(PointsError::NotPositive(name.into()));
        }
        match self {
            Self::Normal { deviation, .. } if *deviation < 0.0 => Err(PointsError::Deviation(name.into())),
            _ => Ok(()),
        }
    }

    /// The value of this number.
    fn at(&self, which: u64) -> f64 {
        match self {
            Self::Grid { from, to, count, logarithmic } => match which {
                0 => *from,
                last if last + 1 == *count => *to,
                between => part(*from, *to, between as f64 / (count - 1) as f64, *logarithmic),
            },
            Self::List(list) => list.get(which as usize).copied().unwrap_or(f64::NAN),
            Self::Uniform { .. } | Self::Normal { .. } => f64::NAN,
        }
    }

    fn draw(&self, draws: &mut Draws) -> f64 {
        match self {
            Self::Grid { .. } => f64::NAN,
            Self::List(list) => list[(draws.unit() * list.len() as f64) as usize % list.len()],
            Self::Uniform { from, to, logarithmic } => part(*from, *to, draws.unit(), *logarithmic),
            // Box and Muller's: a radius and an angle.
            Self::Normal { mean, deviation } => {
                let radius = Function::Sqrt.value(-2.0 * Function::Log.value(1.0 - draws.unit(), 0.0), 0.0);
                mean + deviation * radius * Function::Cos.value(std::f64::consts::TAU * draws.unit(), 0.0)
            }
        }
    }
}

/// The part `u` of the way from one number to another.
fn part(from: f64, to: f64, u: f64, logarithmic: bool) -> f64 {
    if logarithmic {
        from * Function::Exp.value(u * Function::Log.value(to / from, 0.0), 0.0)
    } else {
        from + (to - from) * u
    }
}

/// Random numbers of one parameter at one point (splitmix64), whatever was drawn before.
struct Draws(u64);

impl Draws {
    fn new(seed: u64, point: u64, place: u64) -> Self {
        Self(mix(mix(mix(seed) ^ point) ^ place.rotate_left(32)))
    }

    /// Between 0 and 1, 1 excluded.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(STEP);
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(name: &str, values: ParameterValues) -> Vary {
        Vary { name: name.into(), values }
    }

    fn grid(from: f64, to: f64, count: u64, logarithmic: bool) -> ParameterValues {
        ParameterValues::Grid { from, to, count, logarithmic }
    }

    #[test]
    fn a_grid_includes_its_ends() {
        let points = Points::product(vec![vary("L", grid(0.1, 0.7, 7, false))]).unwrap();
        let all: Vec<f64> = (0..7).map(|point| points.at(point)[0]).collect();
        assert_eq!((all[0], all[6]), (0.1, 0.7));
        assert!(all.windows(2).all(|pair| (pair[1] - pair[0] - 0.1).abs() < 1e-15));
        let points = Points::product(vec![vary("L", grid(1.0, 1000.0, 4, true))]).unwrap();
        for (point, value) in [1.0, 10.0, 100.0, 1000.0].into_iter().enumerate() {
            assert!((points.at(point as u64)[0] / value - 1.0).abs() < 1e-14);
        }
        let one = Points::product(vec![vary("L", grid(3.0, 4.0, 1, false))]).unwrap();
        assert_eq!((one.count(), one.at(0)), (1, vec![3.0]));
    }

    #[test]
    fn a_product_is_in_the_order_of_nested_loops() {
        let all = vec![
            vary("a", ParameterValues::List(vec![1.0, 2.0])),
            vary("b", ParameterValues::List(vec![3.0, 4.0, 5.0])),
        ];
        let points = Points::product(all).unwrap();
        let all: Vec<Vec<f64>> = (0..points.count()).map(|point| points.at(point)).collect();
        assert_eq!(all, [[1.0, 3.0], [1.0, 4.0], [1.0, 5.0], [2.0, 3.0], [2.0, 4.0], [2.0, 5.0]]);
    }

    /// Moments of what is drawn, and the same draws every time.
    #[test]
    fn draws_have_their_distribution() {
        let all = || {
            vec![
                vary("u", ParameterValues::Uniform { from: -1.0, to: 3.0, logarithmic: false }),
                vary("g", ParameterValues::Uniform { from: 0.01, to: 100.0, logarithmic: true }),
                vary("n", ParameterValues::Normal { mean: 1.0, deviation: 0.1 }),
                vary("l", ParameterValues::List(vec![1.0, 2.0])),
            ]
        };
        let count = 20_000;
        let points = Points::random(all(), count, 7).unwrap();
        let mut sums = [[0.0; 2]; 4];
        for point in 0..count {
            let values = points.at(point);
            assert!((-1.0..3.0).contains(&values[0]) && (0.01..100.0).contains(&values[1]));
            for (sum, x) in sums.iter_mut().zip([values[0], values[1].ln(), values[2], values[3]]) {
                *sum = [sum[0] + x / count as f64, sum[1] + x * x / count as f64];
            }
        }
        let expected = [(1.0, 16.0 / 12.0), (0.0, 4.0 * 100_f64.ln().powi(2) / 12.0), (1.0, 0.01), (1.5, 0.25)];
        for ([mean, square], (wanted, variance)) in sums.into_iter().zip(expected) {
            assert!((mean - wanted).abs() < 4.0 * (variance / count as f64).sqrt(), "{mean} {wanted}");
            assert!(((square - mean * mean) / variance - 1.0).abs() < 0.05, "{square} {variance}");
        }
        assert_eq!(points.at(5), Points::random(all(), 10, 7).unwrap().at(5), "the first of many are those of few");
        assert_ne!(points.at(5), Points::random(all(), count, 8).unwrap().at(5));
    }

    #[test]
    fn what_makes_no_points_is_named() {
        let list = |values: &[f64]| vec![vary("m", ParameterValues::List(values.to_vec()))];
        let two = |a: ParameterValues, b: ParameterValues| vec![vary("a", a), vary("b", b)];
        let uniform = ParameterValues::Uniform { from: 1.0, to: 2.0, logarithmic: false };
        for (found, expected) in [
            (Points::product(vec![]), PointsError::Nothing),
            (Points::product(list(&[])), PointsError::Empty(Some("m".into()))),
            (Points::product(list(&[f64::NAN])), PointsError::NotFinite("m".into())),
            (Points::product(vec![vary("a", uniform.clone())]), PointsError::WithoutCount("a".into())),
            (Points::random(vec![vary("a", grid(0.0, 1.0, 2, false))], 5, 1), PointsError::WithCount("a".into())),
            (Points::random(vec![vary("a", uniform)], 0, 1), PointsError::Empty(None)),
            (Points::product(vec![vary("a", grid(0.0, 1.0, 2, true))]), PointsError::NotPositive("a".into())),
            (
                Points::product(two(grid(0.0, 1.0, 10_000, false), grid(0.0, 1.0, 10_000, false))),
                PointsError::TooMany(100_000_000),
            ),
            (Points::product([list(&[1.0]), list(&[2.0])].concat()), PointsError::Twice("m".into())),
            (Points::table(vec!["a".into()], &[vec![1.0], vec![1.0, 2.0]]), PointsError::Row(2, 2, 1)),
            (Points::table(vec!["a".into()], &[]), PointsError::Empty(None)),
        ] {
            assert_eq!(found.unwrap_err(), expected);
        }
    }
}
