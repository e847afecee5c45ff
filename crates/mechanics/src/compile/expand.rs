//! Products of small sums of sines and cosines, multiplied out where that makes them shorter.
//!
//! The energy of a body at `r·(cos β, sin β) − d·(cos α, sin α)` has squares of such sums. Multiplied out, equal terms meet,
//! opposite ones cancel, and `K cos²β + K sin²β` is K: what is left is what a person writes down.

use super::code::{Code, Op, Ref};
use super::factor::{Atom, Definition, Forms, Signed};
use holonom_symbols::expr::FastMap;

/// A coefficient and its atoms, in order.
pub(super) type Item = (Signed, Vec<Atom>);

/// Sums of more terms than this are not multiplied out.
const SMALL: usize = 6;
/// No sum grows beyond this.
const LARGE: usize = 200;

/// How much of the inner sums counts as saved when they are multiplied out.
///
/// Whether an inner sum goes away depends on who else needs it, which is known only in the end: both are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eagerness {
    /// Half of them.
    Modest,
    /// All.
    Eager,
}

impl Eagerness {
    fn share(self) -> usize {
        match self {
            Self::Modest => 2,
            Self::Eager => 1,
        }
    }
}

/// The terms of a sum, and what is fixed in it, multiplied out if that takes fewer operations. `cosine` gives the
/// cosine that goes with a sine, and the other way round.
pub(super) fn expand(
    terms: Vec<Item>,
    fixed: Option<Signed>,
    eagerness: Eagerness,
    forms: &Forms,
    code: &mut Code,
    cosine: &FastMap<Atom, Atom>,
) -> (Vec<Item>, Option<Signed>) {
    let mut inner: Vec<Atom> = Vec::new();
    let mut all: Vec<Item> = Vec::new();
    for (coefficient, atoms) in &terms {
        let mut products: Vec<Item> = vec![(*coefficient, vec![])];
        for &atom in atoms {
            let factor = match small_sum(atom, forms, cosine) {
                Some(items) => {
                    inner.push(atom);
                    items
                }
                None => vec![(Signed { negative: false, value: code.constant(1.0) }, vec![atom])],
            };
            if products.len() * factor.len() + all.len() > LARGE {
                return (terms, fixed);
            }
            products =
                products.iter().flat_map(|a| factor.iter().map(|b| times(a, b, code)).collect::<Vec<_>>()).collect();
        }
        all.extend(products);
    }
    if inner.is_empty() {
        return (terms, fixed);
    }
    all.extend(fixed.map(|value| (value, vec![])));
    let mut groups = collect(all, code);
    pythagoras(&mut groups, code, cosine);
    let constant = groups.iter().position(|(_, atoms)| atoms.is_empty()).map(|place| groups.remove(place).0);
    // Inner sums may be needed elsewhere, and then they are not saved.
    inner.sort_unstable();
    inner.dedup();
    let inside: usize = inner.iter().filter_map(|&atom| items(atom, forms)).map(|items| cost(&items, code)).sum();
    if cost(&groups, code) <= cost(&terms, code) + inside / eagerness.share() {
        (groups, constant)
    } else {
        (terms, fixed)
    }
}

/// How many operations terms take.
fn cost(items: &[Item], code: &Code) -> usize {
    items.iter().map(|(coefficient, atoms)| atoms.len() + usize::from(!code.is_one(coefficient.value))).sum()
}

/// The terms of an atom that is a sum, what is fixed in it among them.
fn items(atom: Atom, forms: &Forms) -> Option<Vec<Item>> {
    let Definition::Sum(sum) = forms.definitions[atom as usize] else { return None };
    let sum = &forms.sums[sum as usize];
    let item = |&term: &u32| {
        let monomial = &forms.monomials[term as usize];
        (monomial.coefficient, monomial.atoms.clone())
    };
    Some(sum.terms.iter().map(item).chain(sum.fixed.map(|value| (value, vec![]))).collect())
}

/// The terms of a small sum that has sines or cosines in it.
fn small_sum(atom: Atom, forms: &Forms, cosine: &FastMap<Atom, Atom>) -> Option<Vec<Item>> {
    let items = items(atom, forms)?;
    let circular = |atom: &Atom| cosine.contains_key(atom);
    let worth = items.len() <= SMALL && items.iter().any(|(_, atoms)| atoms.iter().any(circular));
    worth.then_some(items)
}

fn times(a: &Item, b: &Item, code: &mut Code) -> Item {
    let mut atoms = [&a.1[..], &b.1[..]].concat();
    atoms.sort_unstable();
    let value = code.multiply(a.0.value, b.0.value);
    (Signed { negative: a.0.negative != b.0.negative, value }, atoms)
}

/// Terms of the same atoms become one, in the order in which they first came; what cancels is gone.
fn collect(items: Vec<Item>, code: &mut Code) -> Vec<Item> {
    let mut place: FastMap<Vec<Atom>, usize> = FastMap::default();
    type Group = (Vec<Atom>, Vec<(Ref, i32)>);
    let mut groups: Vec<Group> = Vec::new();
    for (Signed { negative, value }, atoms) in items {
        let at = *place.entry(atoms.clone()).or_insert_with(|| {
            groups.push((atoms, vec![]));
            groups.len() - 1
        });
        let count = if negative { -1 } else { 1 };
        match groups[at].1.iter_mut().find(|(known, _)| *known == value) {
            Some((_, total)) => *total += count,
            None => groups[at].1.push((value, count)),
        }
    }
    let mut collected = Vec::new();
    for (atoms, coefficients) in groups {
        let mut sum: Option<Signed> = None;
        for (value, count) in coefficients.into_iter().filter(|&(_, count)| count != 0) {
            let number = code.constant(f64::from(count.unsigned_abs()));
            let next = Signed { negative: count < 0, value: code.multiply(number, value) };
            sum = Some(add(sum, next, code));
        }
        collected.extend(sum.map(|sum| (sum, atoms)));
    }
    collected
}

fn add(sum: Option<Signed>, next: Signed, code: &mut Code) -> Signed {
    match sum {
        None => next,
        Some(sum) => {
            let op = if sum.negative == next.negative { Op::Add } else { Op::Subtract };
            Signed { negative: sum.negative, value: code.operation(op, &[sum.value, next.value]) }
        }
    }
}

/// `K x sin² + K x cos²` becomes `K x`.
fn pythagoras(items: &mut Vec<Item>, code: &mut Code, cosine: &FastMap<Atom, Atom>) {
    let square = |atoms: &[Atom]| {
        atoms.windows(2).find(|pair| pair[0] == pair[1] && cosine.contains_key(&pair[0])).map(|p| p[0])
    };
    let mut place = 0;
    while place < items.len() {
        let (coefficient, atoms) = &items[place];
        let partner = square(atoms).and_then(|sine| {
            let mut rest = atoms.clone();
            rest.retain(|&atom| atom != sine);
            // Higher powers stay as they are.
            (rest.len() + 2 == atoms.len()).then_some(())?;
            (cosine[&sine] != sine).then_some(())?;
            let mut other = rest.clone();
            other.extend([cosine[&sine]; 2]);
            other.sort_unstable();
            let at = items.iter().position(|(c, atoms)| c == coefficient && *atoms == other)?;
            Some((at, rest))
        });
        let Some((at, rest)) = partner else {
            place += 1;
            continue;
        };
        let coefficient = *coefficient;
        items.remove(place.max(at));
        items.remove(place.min(at));
        match items.iter_mut().find(|(_, atoms)| *atoms == rest) {
            Some((known, _)) => *known = add(Some(*known), coefficient, code),
            None => items.push((coefficient, rest)),
        }
        place = 0;
    }
}
