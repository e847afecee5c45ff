//! Which points: `--vary L=0.5:2:100`, `--vary m=1,2,5`, `--vary "L=normal(1 m, 0.1 m)"`, and tables of points.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use holonom::language::Model;
use holonom::language::units::Dimension;
use holonom::output::reason;
use holonom::sweep::{MOST_POINTS, ParameterValues, Points, Vary};

use crate::setting::fits;
use holonom::Quantity;

/// A file of points has so many bytes at most.
const LARGEST: u64 = 1 << 30;

/// A parameter and the values that it takes, with the dimensions in which they were given.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    pub vary: Vary,
    dimensions: Vec<Option<Dimension>>,
}

impl Variation {
    /// Whether the parameter is of the kind that it is given in.
    pub fn fits(&self, model: &Model) -> Result<(), String> {
        self.dimensions.iter().try_for_each(|dimension| fits(model, "--vary", &self.vary.name, *dimension))
    }
}

const FORMS: &str = "write NAME=FROM:TO:COUNT, NAME=log:FROM:TO:COUNT or NAME=A,B,C; \
    to draw at random NAME=FROM:TO, NAME=log:FROM:TO or NAME=normal(MEAN, DEVIATION)";

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, said) = text.split_once('=').ok_or(FORMS)?;
        let (name, said) = (name.trim().to_string(), said.trim());
        if name.is_empty() || said.is_empty() {
            return Err(FORMS.into());
        }
        let mut dimensions = Vec::new();
        let mut number = |text: &str| -> Result<f64, String> {
            let Quantity { value, dimension } = Quantity::read(text)?;
            dimensions.push(dimension);
            Ok(value)
        };
        let normal = said.strip_prefix("normal(").and_then(|rest| rest.strip_suffix(')'));
        let values = if let Some(inside) = normal {
            let (mean, deviation) = inside.split_once(',').ok_or("write normal(MEAN, DEVIATION)")?;
            ParameterValues::Normal { mean: number(mean)?, deviation: number(deviation)? }
        } else {
            let (logarithmic, rest) = said.strip_prefix("log:").map_or((false, said), |rest| (true, rest));
            match rest.split(':').collect::<Vec<_>>()[..] {
                [list] if !logarithmic => {
                    ParameterValues::List(list.split(',').map(&mut number).collect::<Result<_, _>>()?)
                }
                [from, to] => ParameterValues::Uniform { from: number(from)?, to: number(to)?, logarithmic },
                [from, to, count] => {
                    let count = count.trim().parse().map_err(|_| format!("`{}` is not a count", count.trim()))?;
                    ParameterValues::Grid { from: number(from)?, to: number(to)?, count, logarithmic }
                }
                _ => return Err(FORMS.into()),
            }
        };
        Ok(Self { vary: Vary { name, values }, dimensions })
    }
}

/// The points of a file: names in the first line, then a point per line.
pub fn table(path: &Path, model: &Model) -> Result<Points, String> {
    let shown = path.display();
    let length = fs::metadata(path).map_err(|error| format!("cannot read `{shown}`: {}", reason(&error)))?.len();
    if length > LARGEST {
        return Err(format!("`{shown}` has {length} bytes, and a file of points {LARGEST} at most"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {}", reason(&error)))?;
    rows(&text, model).map_err(|why| format!("`{shown}`: {why}"))
}

fn rows(text: &str, model: &Model) -> Result<Points, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let names = lines.next().map(|(_, line)| fields(line)).ok_or("there are no names in it")?;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (number, line) in lines {
        let at = |why: String| format!("line {}: {why}", number + 1);
        let mut row = Vec::with_capacity(names.len());
        for (place, field) in fields(line).iter().enumerate() {
            let Quantity { value, dimension } = Quantity::read(field).map_err(at)?;
            if let Some(name) = names.get(place) {
                fits(model, "--points", name, dimension).map_err(at)?;
            }
            row.push(value);
        }
        if row.len() != names.len() {
            return Err(at(format!("{} numbers, and there are {} names", row.len(), names.len())));
        }
        if rows.len() as u64 == MOST_POINTS {
            return Err(format!("it has more than {MOST_POINTS} points"));
        }
        rows.push(row);
    }
    Points::table(names, &rows).map_err(|error| error.to_string())
}

/// The fields of a line, those in quotes without them.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(std::mem::take(&mut field).trim().to_string()),
            other => field.push(other),
        }
    }
    all.push(field.trim().to_string());
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use holonom::language::from_text;

    fn values(text: &str) -> Result<ParameterValues, String> {
        text.parse::<Variation>().map(|one| one.vary.values)
    }

    #[test]
    fn values_are_said_in_many_ways() {
        let grid = |from, to, count, logarithmic| ParameterValues::Grid { from, to, count, logarithmic };
        assert_eq!(values("L=0.5:2:100"), Ok(grid(0.5, 2.0, 100, false)));
        assert_eq!(values("L=log:50 cm:2 m:3"), Ok(grid(0.5, 2.0, 3, true)));
        assert_eq!(values("m=1, 2,5e3"), Ok(ParameterValues::List(vec![1.0, 2.0, 5000.0])));
        assert_eq!(values("L=log:0.5:2"), Ok(ParameterValues::Uniform { from: 0.5, to: 2.0, logarithmic: true }));
        assert_eq!(values("L=normal(1 m, 100 mm)"), Ok(ParameterValues::Normal { mean: 1.0, deviation: 0.1 }));
        for wrong in
            ["L", "L=", "=1", "L=1:2:3:4", "L=1:2:many", "L=1:2:-3", "L=log:1", "L=normal(1)", "L=1,,2", "L=a:b"]
        {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn units_must_fit() {
        let model = from_text(
            "m.holo",
            "param L = 1 m, k = 1 N/m\ncoord x: m\nkinetic 1 kg * x'^2/2\npotential k*(x - L)^2/2\n",
        )
        .model
        .unwrap();
        let fits = |text: &str| text.parse::<Variation>().unwrap().fits(&model);
        assert!(fits("L=1 m:2:3").is_ok());
        assert!(fits("L=1 kg:2:3").unwrap_err().starts_with("`--vary L=…`: `L` is set to a value in `kg`"));
        let points = rows("\u{feff}L\r\n50 cm\r\n\r\n2\r\n", &model).unwrap();
        assert_eq!((points.count(), points.at(0), points.at(1)), (2, vec![0.5], vec![2.0]));
        assert_eq!(rows("L,m\n1\n", &model).unwrap_err(), "line 2: 1 numbers, and there are 2 names");
        assert!(rows("L\n1 s\n", &model).unwrap_err().starts_with("line 2: `--points L=…`"));
        assert!(rows("L\n", &model).is_err() && rows("", &model).is_err() && rows("L\nlong\n", &model).is_err());
        assert_eq!(fields("\"x[1,2]\", \"a\"\"b\" ,c"), ["x[1,2]", "a\"b", "c"]);
    }
}
