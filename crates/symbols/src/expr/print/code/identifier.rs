//! Names of the model as identifiers of a programming language.

use std::collections::BTreeMap;

use crate::expr::graph::Symbol;
use crate::expr::print::name::{Name, Stem};

/// Words that mean something in one of the languages, and names that the generated files use themselves.
const RESERVED: &str = "\
    abs abstract acos and arguments as asin assert async atan atan2 auto await become bool box break case catch char \
    clamp class complex const continue coordinates cos cosh crate debugger def default defaults del delete do double \
    dyn elif else enum Err Error eval except exp export extern f64 fabs False false finally float fmax fmin fn for \
    from function gen global goto if impl implements import in INFINITY Infinity inline instanceof int interface is \
    isfinite lambda let log long loop main match Math max min mod move mut NAN NaN new None nonlocal not np null \
    Number Object Ok or out override package pass pi pow print priv private protected pub public raise ref register \
    restrict return Self self short sign signed sin sinh sizeof smoothstep sp spline sqrt static struct super switch \
    t tan tanh this throw trait True true try type typedef typeof undefined union unsafe unsigned unsized use \
    ValueError var virtual void volatile where while with yield";

/// Identifiers for symbols, each its own.
pub(super) struct Identifiers {
    names: BTreeMap<Symbol, String>,
    taken: Vec<String>,
}

impl Identifiers {
    /// None yet; `reserved` are taken.
    pub(super) fn new(reserved: impl IntoIterator<Item = String>) -> Self {
        Self { names: BTreeMap::new(), taken: reserved.into_iter().collect() }
    }

    /// Identifiers for `symbols` with the names that the model has for them.
    pub(super) fn add(&mut self, symbols: impl IntoIterator<Item = Symbol>, name: &dyn Fn(Symbol) -> String) {
        for symbol in symbols {
            if symbol != Symbol::Time && !self.names.contains_key(&symbol) {
                let identifier = self.free(&name(symbol));
                self.names.insert(symbol, identifier);
            }
        }
    }

    /// The identifier of a symbol.
    pub(super) fn get(&self, symbol: Symbol) -> String {
        match (symbol, self.names.get(&symbol)) {
            (Symbol::Time, _) => "t".to_string(),
            (_, Some(name)) => name.clone(),
            (_, None) => "unknown".to_string(),
        }
    }

    /// The beginning of names that none of the others has before a number.
    pub(super) fn prefix(&self) -> &'static str {
        let numbered = |name: &String, prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let free = |prefix: &&str| !self.taken.iter().any(|name| numbered(name, prefix));
        ["s", "u", "w", "z", "part"].into_iter().find(free).unwrap_or("part_of_it_")
    }

    /// An identifier like `name`, with something behind it where that is taken.
    pub(super) fn free(&mut self, name: &str) -> String {
        let wanted = plain(name);
        let taken = |name: &str| {
            self.taken.iter().any(|other| other == name) || RESERVED.split_ascii_whitespace().any(|word| word == name)
        };
        let mut name = wanted.clone();
        let mut number = 1;
        while taken(&name) {
            number += 1;
            name = if number == 2 { format!("{wanted}_") } else { format!("{wanted}_{number}") };
        }
        self.taken.push(name.clone());
        name
    }
}

/// Letters, digits and underscores that look like the name: `theta[3]'` is `theta_3_dot`.
fn plain(name: &str) -> String {
    let Name { parts, subscripts, primes } = Name::parse(name);
    let mut words: Vec<String> = Vec::new();
    for (stem, subscript) in &parts {
        let stem = match stem {
            Stem::Greek(name, _) => (*name).to_string(),
            Stem::Word(word) => word.clone(),
        };
        let digits = subscript.chars().all(|c| c.is_ascii_digit());
        words.push(match (subscript.is_empty(), digits) {
            (true, _) => stem,
            (false, true) => format!("{stem}{subscript}"),
            (false, false) => format!("{stem}_{subscript}"),
        });
    }
    words.extend(subscripts);
    match primes {
        0 => {}
        1 => words.push("dot".to_string()),
        2 => words.push("ddot".to_string()),
        _ => words.push(format!("d{primes}")),
    }
    let mut text = String::new();
    for c in words.join("_").chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => text.push(c),
            ',' | '-' | '+' | '.' | ' ' => text.push('_'),
            other => text += &format!("u{:x}", u32::from(other)),
        }
    }
    // Two underscores at the beginning belong to the compiler, and a digit may not stand there.
    let bare = text.trim_start_matches('_');
    if bare.is_empty() || bare.starts_with(|c: char| c.is_ascii_digit()) {
        format!("n{text}")
    } else {
        bare.to_string()
    }
}
