//! Names of the model taken apart: stem, subscripts and primes.

/// Letters of the Greek alphabet: their names, how they look, and what LaTeX calls them.
const GREEK: [(&str, char); 34] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Xi", 'Ξ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Upsilon", 'Υ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
];

/// A name such as `arm.theta_k[3]''`.
pub(super) struct Name {
    /// What stands between the dots: a stem, and what follows it after an underscore or as digits.
    pub(super) parts: Vec<(Stem, String)>,
    /// What stands in brackets or parentheses.
    pub(super) subscripts: Vec<String>,
    /// How many primes there are.
    pub(super) primes: usize,
}

/// The letters of a name.
pub(super) enum Stem {
    /// A Greek letter, by its name.
    Greek(&'static str, char),
    /// Anything else.
    Word(String),
}

impl Stem {
    fn new(word: &str) -> Self {
        let mut letters = word.chars();
        let single = letters.next().filter(|_| letters.next().is_none());
        let greek = GREEK.iter().find(|&&(name, letter)| name == word || Some(letter) == single);
        greek.map_or_else(|| Self::Word(word.to_string()), |&(name, letter)| Self::Greek(name, letter))
    }

    /// As it looks.
    pub(super) fn unicode(&self) -> String {
        match self {
            Self::Greek(_, letter) => letter.to_string(),
            Self::Word(word) => word.clone(),
        }
    }
}

impl Name {
    pub(super) fn parse(name: &str) -> Self {
        let mut rest = name.trim_end_matches('\'');
        let primes = name.len() - rest.len();
        let mut subscripts = Vec::new();
        // Indices and, for multipliers and the like, the name they belong to.
        while let Some(inside) = rest.strip_suffix(']').or_else(|| rest.strip_suffix(')')) {
            let open = if rest.ends_with(']') { '[' } else { '(' };
            let Some(start) = inside.find(open) else { break };
            // Several brackets in a row are peeled off together and read from the left.
            let inner = inside[start + 1..].replace("][", ",").replace(' ', "");
            subscripts.insert(0, inner);
            rest = &rest[..start];
        }
        let rest = match rest {
            "multiplier" | "reaction" if !subscripts.is_empty() => {
                if rest == "multiplier" {
                    "lambda"
                } else {
                    "Lambda"
                }
            }
            other => other,
        };
        let parts = rest
            .split('.')
            .map(|part| match part.split_once('_') {
                Some((stem, subscript)) if !stem.is_empty() && !subscript.is_empty() => {
                    (Stem::new(stem), subscript.to_string())
                }
                _ => {
                    let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
                    if stem.is_empty() {
                        (Stem::new(part), String::new())
                    } else {
                        (Stem::new(stem), part[stem.len()..].to_string())
                    }
                }
            })
            .collect();
        Self { parts, subscripts, primes }
    }
}
