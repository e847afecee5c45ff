//! Fewer operations: products that occur more than once are formed once, and common factors are taken out of sums.
//!
//! Expressions are held as sums of products of atoms. A pair of atoms in k products, a factor or a coefficient of k terms of a
//! sum: each saves k − 1 multiplications. The best is taken first, again and again, as long as there is any. Values change by
//! rounding only. `c₁c₂ω₁ + c₁s₂ω₁` becomes `(c₁ω₁)(c₂ + s₂)`, with `c₁ω₁` shared by whoever else has it.

use super::code::Ref;
use holonom_symbols::expr::{FastMap, Id};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A factor of products: its number among the definitions.
pub(super) type Atom = u32;

/// A value, or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signed {
    pub negative: bool,
    pub value: Ref,
}

/// What an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Definition {
    /// An expression of the graph that is neither sum nor product.
    Leaf(Id),
    /// A sum, by its number.
    Sum(u32),
    /// A product of two.
    Pair(Atom, Atom),
    /// A power, beyond the third.
    Power(Atom, u32),
    /// One over it.
    Reciprocal(Atom),
}

/// A fixed coefficient times atoms, in order.
#[derive(Clone, Debug)]
pub(super) struct Monomial {
    pub coefficient: Signed,
    pub atoms: Vec<Atom>,
    /// The sum that it is a term of.
    sum: u32,
}

/// A sum of monomials and of something fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub fixed: Option<Signed>,
    pub terms: Vec<u32>,
}

/// All sums of a program.
#[derive(Debug)]
pub(super) struct Forms {
    pub definitions: Vec<Definition>,
    pub sums: Vec<Sum>,
    pub monomials: Vec<Monomial>,
    index: FastMap<Definition, Atom>,
    /// The coefficient 1.
    one: Ref,
}

/// Something worth doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Candidate {
    /// Two atoms that products share.
    Pair(Atom, Atom),
    /// A coefficient that terms of a sum share.
    Coefficient(u32, Ref),
    /// An atom that terms of a sum share.
    Factor(u32, Atom),
}

/// Products of more atoms than this are not searched for pairs: their number grows with the square.
const LONG: usize = 12;

impl Forms {
    pub fn new(one: Ref) -> Self {
        Self { definitions: vec![], sums: vec![], monomials: vec![], index: FastMap::default(), one }
    }

    pub fn atom(&mut self, definition: Definition) -> Atom {
        *self.index.entry(definition).or_insert_with(|| {
            self.definitions.push(definition);
            (self.definitions.len() - 1) as u32
        })
    }

    /// A new sum, and the atom that it is.
    pub fn sum(&mut self, fixed: Option<Signed>) -> (u32, Atom) {
        self.sums.push(Sum { fixed, terms: vec![] });
        let sum = (self.sums.len() - 1) as u32;
        (sum, self.atom(Definition::Sum(sum)))
    }

    /// Adds a term to a sum.
    pub fn term(&mut self, sum: u32, coefficient: Signed, mut atoms: Vec<Atom>) -> u32 {
        atoms.sort_unstable();
        self.monomials.push(Monomial { coefficient, atoms, sum });
        let term = (self.monomials.len() - 1) as u32;
        self.sums[sum as usize].terms.push(term);
        term
    }

    /// Takes out everything that occurs more than once, the most frequent first.
    pub fn factor(&mut self) {
        let mut search = Search::default();
        for monomial in 0..self.monomials.len() as u32 {
            search.register(self, monomial);
        }
        search.queue_new();
        // Each step looks through the occurrences of one candidate. What a program of this size may take is bounded.
        let mut budget = 1_000_000 + 100 * self.monomials.len();
        while let Some((count, Reverse(candidate))) = search.heap.pop() {
            let found = search.occurrences.remove(&candidate).unwrap_or_default();
            if found.len() > budget {
                break;
            }
            budget -= found.len();
            let mut terms: Vec<u32> = found.into_iter().filter(|&term| self.holds(candidate, term)).collect();
            terms.sort_unstable();
            terms.dedup();
            if terms.len() < 2 {
                continue;
            }
            if terms.len() < count {
                search.heap.push((terms.len(), Reverse(candidate)));
                search.occurrences.insert(candidate, terms);
                continue;
            }
            match candidate {
                Candidate::Pair(a, b) => self.take_pair(a, b, &terms, &mut search),
                Candidate::Coefficient(sum, _) => self.take_coefficient(sum, &terms, &mut search),
                Candidate::Factor(sum, atom) => self.take_factor(sum, atom, &terms, &mut search),
            }
            search.queue_new();
        }
        let monomials = &self.monomials;
        for (sum, number) in self.sums.iter_mut().zip(0..) {
            sum.terms.retain(|&term| monomials[term as usize].sum == number);
        }
    }

    /// Whether a candidate still occurs in a term.
    fn holds(&self, candidate: Candidate, term: u32) -> bool {
        let monomial = &self.monomials[term as usize];
        let has = |atom: Atom| monomial.atoms.binary_search(&atom).is_ok();
        match candidate {
            Candidate::Pair(a, b) if a == b => monomial.atoms.iter().filter(|&&atom| atom == a).count() > 1,
            Candidate::Pair(a, b) => has(a) && has(b),
            Candidate::Coefficient(sum, value) => monomial.sum == sum && monomial.coefficient.value == value,
            Candidate::Factor(sum, atom) => monomial.sum == sum && has(atom),
        }
    }

    fn remove(&mut self, term: u32, atom: Atom) {
        let atoms = &mut self.monomials[term as usize].atoms;
        if let Ok(place) = atoms.binary_search(&atom) {
            atoms.remove(place);
        }
    }

    fn take_pair(&mut self, a: Atom, b: Atom, terms: &[u32], search: &mut Search) {
        let pair = self.atom(Definition::Pair(a, b));
        for &term in terms {
            self.remove(term, a);
            self.remove(term, b);
            let atoms = &mut self.monomials[term as usize].atoms;
            let place = atoms.partition_point(|&atom| atom < pair);
            atoms.insert(place, pair);
            search.register_atom(self, term, pair);
        }
    }

    fn take_coefficient(&mut self, sum: u32, terms: &[u32], search: &mut Search) {
        let value = self.monomials[terms[0] as usize].coefficient.value;
        let inner = self.move_terms(terms);
        for &term in terms {
            self.monomials[term as usize].coefficient.value = self.one;
            search.register_in_sum(self, term);
        }
        let outer = self.term(sum, Signed { negative: false, value }, vec![inner]);
        search.register(self, outer);
    }

    fn take_factor(&mut self, sum: u32, atom: Atom, terms: &[u32], search: &mut Search) {
        let inner = self.move_terms(terms);
        for &term in terms {
            self.remove(term, atom);
            search.register_in_sum(self, term);
        }
        let outer = self.term(sum, Signed { negative: false, value: self.one }, vec![atom, inner]);
        search.register(self, outer);
    }

    /// Moves terms to a sum of their own. The list of the old one is put right in the end, all at once.
    fn move_terms(&mut self, terms: &[u32]) -> Atom {
        let (inner, atom) = self.sum(None);
        for &term in terms {
            self.monomials[term as usize].sum = inner;
        }
        self.sums[inner as usize].terms.extend_from_slice(terms);
        atom
    }
}

/// Where candidates occur. Entries go out of date; they are looked at again before they are used.
#[derive(Default)]
struct Search {
    occurrences: FastMap<Candidate, Vec<u32>>,
    heap: BinaryHeap<(usize, Reverse<Candidate>)>,
    touched: Vec<Candidate>,
}

impl Search {
    fn add(&mut self, candidate: Candidate, term: u32) {
        let list = self.occurrences.entry(candidate).or_default();
        if list.last() != Some(&term) {
            list.push(term);
            if list.len() > 1 {
                self.touched.push(candidate);
            }
        }
    }

    /// Puts what occurs more often now in the queue.
    fn queue_new(&mut self) {
        self.touched.sort_unstable();
        self.touched.dedup();
        for candidate in self.touched.drain(..) {
            self.heap.push((self.occurrences[&candidate].len(), Reverse(candidate)));
        }
    }

    /// Everything that a term takes part in.
    fn register(&mut self, forms: &Forms, term: u32) {
        let atoms = &forms.monomials[term as usize].atoms;
        if atoms.len() <= LONG {
            for (i, &a) in atoms.iter().enumerate() {
                for &b in &atoms[i + 1..] {
                    self.add(Candidate::Pair(a, b), term);
                }
            }
        }
        self.register_in_sum(forms, term);
    }

    /// What a term takes part in as a term of its sum.
    fn register_in_sum(&mut self, forms: &Forms, term: u32) {
        let Monomial { coefficient, atoms, sum } = &forms.monomials[term as usize];
        for &atom in atoms {
            self.add(Candidate::Factor(*sum, atom), term);
        }
        if coefficient.value != forms.one {
            self.add(Candidate::Coefficient(*sum, coefficient.value), term);
        }
    }

    /// What a term takes part in since it has a new atom.
    fn register_atom(&mut self, forms: &Forms, term: u32, new: Atom) {
        let Monomial { atoms, sum, .. } = &forms.monomials[term as usize];
        if atoms.len() <= LONG {
            let mut itself = true;
            for &atom in atoms {
                // The new atom does not make a pair with itself unless it is there twice.
                if atom == new && std::mem::take(&mut itself) {
                    continue;
                }
                self.add(Candidate::Pair(atom.min(new), atom.max(new)), term);
            }
        }
        self.add(Candidate::Factor(*sum, new), term);
    }
}
