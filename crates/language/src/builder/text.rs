//! The text of a model while it is built in Rust: statements are written with these methods.

use crate::compose::{Composer, Role};

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
    pub(crate) composer: Composer,
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
    pub(crate) fn begin(mut self, keyword: &str) -> Self {
        self.composer.keyword(keyword, None);
        self
    }

    pub(crate) fn put(mut self, text: &str) -> Self {
        self.composer.put(text);
        self
    }

    pub(crate) fn give(mut self, role: Role, text: impl Into<Written>) -> Self {
        self.composer.fragment(role, &text.into().0, None);
        self
    }

    pub(crate) fn settings(mut self, settings: &[(&str, &str)]) -> Self {
        for (name, value) in settings {
            self = self.put(", ").give(Role::Word, *name).put(" = ").give(Role::Expression, *value);
        }
        self
    }

    /// `…, off`, directly after a joint, a drive, a constraint or a stop.
    pub fn off(self) -> Self {
        self.put(", off")
    }
}
