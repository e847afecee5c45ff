//! The list of statements → the type of all of them, and the way from each to what its file says.

/// Takes the list of `mod.rs`: keyword, variant with its content, and the notation from the file of the statement.
macro_rules! statements {
    ($($(#[$doc:meta])* $keyword:literal => $variant:ident $(($name:ident: $content:ty))?, $notation:expr;)*) => {
        /// What a statement says.
        #[derive(Clone, Debug)]
        pub enum StatementKind {
            $($(#[$doc])* $variant $(($content))?,)*
            /// A statement that could not be read; its errors have been reported.
            Broken,
        }

        /// All words that begin a statement.
        pub(crate) const KEYWORDS: &[&str] = &[$($keyword),*];

        /// What reads the statements.
        const READERS: &[(&str, Read)] = &[
            $(($keyword, |p| Ok($notation.read(p)?.map(made!($variant $($name)?)))),)*
        ];

        /// Puts what follows a keyword in JSON into the words of the language.
        pub(crate) fn read_json(keyword: &str, value: &Value, reader: &mut Reader) {
            match keyword {
                $($keyword => $notation.read_json(value, reader),)*
                _ => {}
            }
        }

        impl StatementKind {
            /// The statement as text; of an inline part, its head.
            pub(crate) fn print(&self, pen: &mut Pen) {
                match self {
                    $(Self::$variant $(($name))? => {
                        pen.text($keyword);
                        $notation.print(given!($($name)?), pen);
                    })*
                    Self::Broken => pen.broken = true,
                }
            }

            /// The keyword, and what follows it in JSON. Nothing if the statement could not be read.
            pub(crate) fn to_json(&self) -> Option<(&'static str, String)> {
                Some(match self {
                    $(Self::$variant $(($name))? => ($keyword, $notation.to_json(given!($($name)?))),)*
                    Self::Broken => return None,
                })
            }

            /// The expressions, in order, as far as their units say that a model has units.
            pub(crate) fn values(&self) -> Vec<&Expr> {
                match self {
                    $(Self::$variant $(($name))? => $notation.values(given!($($name)?)),)*
                    Self::Broken => vec![],
                }
            }

            /// The units that belong to no expression.
            pub(crate) fn units(&self) -> Vec<&Unit> {
                match self {
                    $(Self::$variant $(($name))? => $notation.units(given!($($name)?)),)*
                    Self::Broken => vec![],
                }
            }

            /// What is declared in the common name space, each with what it is.
            pub(crate) fn declares(&self) -> Vec<(&Target, &'static str)> {
                match self {
                    $(Self::$variant $(($name))? => $notation.declares(given!($($name)?)),)*
                    Self::Broken => vec![],
                }
            }

            /// The families that are unrolled for the statement, member by member.
            pub(crate) fn families(&self) -> Vec<&Target> {
                match self {
                    $(Self::$variant $(($name))? => $notation.families(given!($($name)?)),)*
                    Self::Broken => vec![],
                }
            }
        }

        impl Visit for StatementKind {
            fn visit(&mut self, _visitor: &mut dyn Visitor) {
                match self {
                    $(Self::$variant $(($name))? => { $($name.visit(_visitor);)? })*
                    Self::Broken => {}
                }
            }
        }

        /// What writes each statement by chance.
        #[cfg(test)]
        pub(crate) const RANDOM: &[(&str, fn(&mut Author) -> StatementKind)] = &[
            $(($keyword, |author| made!($variant $($name)?)($notation.random(author))),)*
        ];
    };
}
pub(super) use statements;

/// The content of a statement, for those that have none, too.
macro_rules! given {
    () => {
        &()
    };
    ($content:ident) => {
        $content
    };
}
pub(super) use given;

/// What makes a statement of its content.
macro_rules! made {
    ($variant:ident) => {
        |()| StatementKind::$variant
    };
    ($variant:ident $content:ident) => {
        StatementKind::$variant
    };
}
pub(super) use made;
