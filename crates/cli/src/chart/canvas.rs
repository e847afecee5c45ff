//! Lines made of letters: eight dots in a letter of Braille, two in a letter of ASCII.

/// Dots, in rows of letters.
pub struct Canvas {
    columns: usize,
    rows: usize,
    braille: bool,
    /// A bit for each dot of a letter.
    letters: Vec<u8>,
}

impl Canvas {
    /// An empty canvas of so many letters.
    pub fn new(columns: usize, rows: usize, braille: bool) -> Self {
        Self { columns, rows, braille, letters: vec![0; columns * rows] }
    }

    /// How many dots a letter has, across and down.
    fn dots(&self) -> (usize, usize) {
        if self.braille { (2, 4) } else { (1, 2) }
    }

    /// Draws through points, given by how far to the right and how far up they are, from 0 to 1.
    pub fn draw(&mut self, points: impl Iterator<Item = (f64, f64)>) {
        let (across, down) = self.dots();
        let (right, bottom) = ((self.columns * across) as f64 - 1.0, (self.rows * down) as f64 - 1.0);
        let mut before = None;
        for (x, y) in points {
            let to = ((x.clamp(0.0, 1.0) * right).round() as i64, ((1.0 - y.clamp(0.0, 1.0)) * bottom).round() as i64);
            self.line(before.unwrap_or(to), to);
            before = Some(to);
        }
    }

    fn line(&mut self, from: (i64, i64), to: (i64, i64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
        for step in 0..=steps {
            let along = |from: i64, to: i64| from + ((to - from) as f64 * step as f64 / steps as f64).round() as i64;
            self.dot(along(from.0, to.0), along(from.1, to.1));
        }
    }

    fn dot(&mut self, x: i64, y: i64) {
        /// Bits of the dots of a letter, in columns from the top.
        const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        let (across, down) = self.dots();
        let bit = if self.braille { BRAILLE[x % across][y % down] } else { 1 << (y % down) };
        if let Some(letter) = self.letters.get_mut(y / down * self.columns + x / across) {
            *letter |= bit;
        }
    }

    /// The rows of letters, from the top, without blanks at their ends.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let letter = |bits: &u8| match (bits, self.braille) {
            (0, _) => ' ',
            (bits, true) => char::from_u32(0x2800 + u32::from(*bits)).unwrap_or(' '),
            (1, false) => '\'',
            (2, false) => '.',
            (_, false) => ':',
        };
        self.letters
            .chunks(self.columns.max(1))
            .map(move |row| row.iter().map(letter).collect::<String>().trim_end().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(columns: usize, rows: usize, braille: bool, points: &[(f64, f64)]) -> Vec<String> {
        let mut canvas = Canvas::new(columns, rows, braille);
        canvas.draw(points.iter().copied());
        canvas.lines().collect()
    }

    #[test]
    fn lines_go_from_corner_to_corner() {
        assert_eq!(drawn(4, 2, true, &[(0.0, 0.0), (1.0, 1.0)]), ["  ⡠⠊", "⡠⠊"]);
        assert_eq!(drawn(4, 2, false, &[(0.0, 1.0), (1.0, 0.0)]), ["'.", "  '."]);
        assert_eq!(drawn(3, 1, false, &[(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]), [":''"]);
    }

    #[test]
    fn a_single_point_is_a_dot_and_what_lies_outside_is_at_the_edge() {
        assert_eq!(drawn(2, 1, true, &[(0.0, 0.0)]), ["⡀"]);
        assert_eq!(drawn(2, 1, true, &[(7.0, -3.0)]), [" ⢀"]);
        assert_eq!(drawn(2, 1, true, &[(f64::NAN, f64::NAN)]), ["⠁"]);
    }
}
