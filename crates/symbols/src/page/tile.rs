//! Rectangles of characters, put side by side and above each other.

/// A rectangle of characters with a line on which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Rows from the top, all of the same width.
    pub(super) rows: Vec<String>,
    /// How many columns it takes.
    pub(super) width: usize,
    /// Which row is level with what stands beside it.
    pub(super) base: usize,
}

/// Brackets of any height: for one row, then top, middle and bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    Round,
    Square,
    Bar,
    /// A brace on the left only.
    Brace,
}

/// How rows of different widths stand above each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// Roots of things up to this height have a slanted stroke; for taller ones it would take too much room.
const SLANTED: usize = 4;

/// The columns that a text takes: dots and bars over letters take none, letters of East Asia two.
pub(super) fn columns(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' => 0,
            '\u{1100}'..='\u{115f}'
            | '\u{2e80}'..='\u{303e}'
            | '\u{3041}'..='\u{a4cf}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe6f}'
            | '\u{ff00}'..='\u{ff60}'
            | '\u{20000}'..='\u{3fffd}' => 2,
            _ => 1,
        })
        .sum()
}

impl Tile {
    /// One row.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { width: columns(&text), rows: vec![text], base: 0 }
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// Tiles side by side, level with each other.
    pub(super) fn beside(tiles: impl IntoIterator<Item = Self>) -> Self {
        let tiles: Vec<Self> = tiles.into_iter().collect();
        let base = tiles.iter().map(|tile| tile.base).max().unwrap_or(0);
        let below = tiles.iter().map(|tile| tile.height() - tile.base).max().unwrap_or(1);
        let mut rows = vec![String::new(); base + below];
        for tile in &tiles {
            for (at, row) in rows.iter_mut().enumerate() {
                let inside = (at + tile.base).checked_sub(base).and_then(|place| tile.rows.get(place));
                match inside {
                    Some(text) => row.push_str(text),
                    None => row.push_str(&" ".repeat(tile.width)),
                }
            }
        }
        Self { rows, width: tiles.iter().map(|tile| tile.width).sum(), base }
    }

    /// Tiles above each other; it stands on the line of the tile with number `on`.
    pub(super) fn above(tiles: impl IntoIterator<Item = Self>, align: Align, on: usize) -> Self {
        let tiles: Vec<Self> = tiles.into_iter().collect();
        let width = tiles.iter().map(|tile| tile.width).max().unwrap_or(0);
        let (mut rows, mut base) = (Vec::new(), 0);
        for (index, tile) in tiles.into_iter().enumerate() {
            if index == on {
                base = rows.len() + tile.base;
            }
            rows.extend(tile.padded(width, align).rows);
        }
        Self { rows, width, base }
    }

    /// Blanks around it up to a width.
    pub(super) fn padded(mut self, width: usize, align: Align) -> Self {
        let missing = width.saturating_sub(self.width);
        let left = match align {
            Align::Left => 0,
            Align::Centre => missing / 2,
            Align::Right => missing,
        };
        if missing > 0 {
            for row in &mut self.rows {
                *row = format!("{}{row}{}", " ".repeat(left), " ".repeat(missing - left));
            }
            self.width = width;
        }
        self
    }

    /// A fraction, standing on its bar.
    pub(super) fn over(self, below: Self) -> Self {
        // A bar that is as long as one inside it would be taken for the same.
        let barred = |tile: &Self| tile.rows.iter().any(|row| row.contains('─'));
        let longer = if barred(&self) || barred(&below) { 2 } else { 0 };
        let width = self.width.max(below.width) + longer;
        let bar = Self::text("─".repeat(width));
        Self::above([self, bar, below], Align::Centre, 1)
    }

    /// A square root: a bar over it, and a stroke down to its left.
    pub(super) fn root(self) -> Self {
        let height = self.height();
        let bar = "_".repeat(self.width);
        let (base, width) = (self.base + 1, self.width);
        if height == 1 {
            return Self { rows: vec![format!(" {bar}"), format!("√{}", self.rows[0])], width: width + 1, base };
        }
        if height > SLANTED {
            let mut rows = vec![format!(" ┌─{}", "─".repeat(width))];
            for (index, row) in self.rows.into_iter().enumerate() {
                rows.push(format!("{}│ {row}", if index + 1 == height { '╲' } else { ' ' }));
            }
            return Self { rows, width: width + 3, base };
        }
        let mut rows = vec![format!("{}{bar}", " ".repeat(height + 1))];
        for (index, row) in self.rows.into_iter().enumerate() {
            let stroke = match index + 1 == height {
                true => format!("╲╱{}", " ".repeat(height - 1)),
                false => format!("{}╱{}", " ".repeat(height - index), " ".repeat(index)),
            };
            rows.push(format!("{stroke}{row}"));
        }
        Self { rows, width: width + height + 1, base }
    }

    /// With brackets of its height.
    pub(super) fn enclosed(self, bracket: Bracket) -> Self {
        let height = self.height();
        let ends = |one: char, two: [char; 2], three: [char; 3]| -> Vec<char> {
            match height {
                1 => vec![one],
                2 => two.to_vec(),
                _ => (0..height)
                    .map(|row| {
                        if row == 0 {
                            three[0]
                        } else if row + 1 == height {
                            three[2]
                        } else {
                            three[1]
                        }
                    })
                    .collect(),
            }
        };
        let (left, right) = match bracket {
            Bracket::Round => (ends('(', ['⎛', '⎝'], ['⎛', '⎜', '⎝']), ends(')', ['⎞', '⎠'], ['⎞', '⎟', '⎠'])),
            Bracket::Square => (ends('[', ['⎡', '⎣'], ['⎡', '⎢', '⎣']), ends(']', ['⎤', '⎦'], ['⎤', '⎥', '⎦'])),
            Bracket::Bar => (ends('|', ['│', '│'], ['│', '│', '│']), ends('|', ['│', '│'], ['│', '│', '│'])),
            Bracket::Brace => {
                let mut brace = ends('{', ['⎰', '⎱'], ['⎧', '⎪', '⎩']);
                if height > 2 {
                    brace[height / 2] = '⎨';
                }
                (brace, Vec::new())
            }
        };
        let wide = 1 + usize::from(!right.is_empty());
        let rows = self
            .rows
            .into_iter()
            .enumerate()
            .map(|(at, row)| format!("{}{row}{}", left[at], right.get(at).map_or(String::new(), char::to_string)))
            .collect();
        Self { rows, width: self.width + wide, base: self.base }
    }

    /// With something raised beside it, above its top right corner.
    pub(super) fn raised(self, exponent: Self) -> Self {
        let (height, base) = (exponent.height(), self.base);
        let mut rows: Vec<String> = exponent.rows.iter().map(|row| " ".repeat(self.width) + row).collect();
        rows.extend(self.rows.into_iter().map(|row| row + &" ".repeat(exponent.width)));
        Self { rows, width: self.width + exponent.width, base: base + height }
    }

    /// With one row of text at its top right corner.
    pub(super) fn cornered(mut self, text: &str) -> Self {
        let wide = columns(text);
        for (index, row) in self.rows.iter_mut().enumerate() {
            row.push_str(&if index == 0 { text.to_string() } else { " ".repeat(wide) });
        }
        self.width += wide;
        self
    }

    /// Without the blank before the sign that begins a line.
    pub(super) fn trimmed(self) -> Self {
        if self.width == 0 || !self.rows.iter().all(|row| row.starts_with(' ')) {
            return self;
        }
        let rows = self.rows.into_iter().map(|row| row[1..].to_string()).collect();
        Self { rows, width: self.width - 1, base: self.base }
    }

    /// Standing on its middle row.
    pub(super) fn centred(mut self) -> Self {
        self.base = (self.height() - 1) / 2;
        self
    }
}
