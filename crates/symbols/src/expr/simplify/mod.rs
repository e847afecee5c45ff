//! Simplification: the shorter way to write the same value.
//!
//! Every expression is considered in two forms, as written and multiplied out; the shorter one is kept. Sums
//! multiplied out are polynomials over nodes that are neither sum nor product; there like terms are collected, squares of
//! sines and cosines are combined and addition formulas applied backwards. The work happens in a separate graph, so that
//! rejected attempts leave no nodes behind, and in loops over the order of evaluation, so that depth costs no stack. A budget
//! bounds the number of terms of every polynomial and with it time and memory.

mod polynomial;
mod trigonometry;
mod zero;

use std::rc::Rc;

pub use zero::Zero;

use super::function::Function;
use super::graph::{FastMap, Graph, Id, Node};
use super::number::Number;
use polynomial::{Poly, collect};

impl Graph {
    /// The same value, written shorter where a shorter way is found.
    ///
    /// No polynomial of more than `budget` terms is formed on the way; what would need one stays as it is. Where the
    /// expression is defined its value does not change, apart from rounding.
    ///
    /// ```
    /// use holonom_symbols::expr::{Function, Graph, Number, Symbol};
    ///
    /// let mut graph = Graph::new();
    /// let m = graph.symbol(Symbol::Parameter(0));
    /// let angle = graph.symbol(Symbol::Position(0));
    /// let (sine, cosine) = (graph.call(Function::Sin, angle), graph.call(Function::Cos, angle));
    /// let first = graph.product(Number::ONE, &[(m, 1), (sine, 2)]);
    /// let second = graph.product(Number::ONE, &[(m, 1), (cosine, 2)]);
    /// let sum = graph.add(first, second);
    /// assert_eq!(graph.simplify(sum, 100), m);
    /// ```
    pub fn simplify(&mut self, id: Id, budget: usize) -> Id {
        self.simplify_all(&[id], budget)[0]
    }

    /// [`Graph::simplify`] of many expressions at once, which costs less where they share parts.
    pub fn simplify_all(&mut self, roots: &[Id], budget: usize) -> Vec<Id> {
        let mut work = Work::new(budget, self.reachable(roots).len());
        let short = work.simplify(self, roots);
        self.copy_from(&work.graph, &short)
    }

    /// Copies expressions from another graph, whose symbols and tables mean the same here.
    pub fn copy_from(&mut self, from: &Graph, roots: &[Id]) -> Vec<Id> {
        let mut new: FastMap<Id, Id> = FastMap::default();
        for id in from.reachable(roots) {
            let copy = rebuild(from.node(id), self, |operand| new[&operand]);
            new.insert(id, copy);
        }
        roots.iter().map(|root| new[root]).collect()
    }
}

/// A node made again in another graph from operands that stand there.
fn rebuild(node: &Node, to: &mut Graph, at: impl Fn(Id) -> Id) -> Id {
    match *node {
        Node::Number(number) => to.number(number),
        Node::Pi => to.pi(),
        Node::Symbol(symbol) => to.symbol(symbol),
        Node::Sum { constant, ref terms } => {
            let terms: Vec<_> = terms.iter().map(|&(c, term)| (c, at(term))).collect();
            to.sum_with(constant, &terms)
        }
        Node::Product { coefficient, ref factors } => {
            let factors: Vec<_> = factors.iter().map(|&(factor, e)| (at(factor), e)).collect();
            to.product(coefficient, &factors)
        }
        Node::Power(base, exponent) => {
            // A power of a number that the constructors keep (0 to a negative power) is not to be tried again.
            let (new_base, new_exponent) = (at(base), at(exponent));
            if to.as_number(new_base).is_some() && to.as_number(new_exponent).is_some() {
                to.raw_power(new_base, new_exponent)
            } else {
                to.power(new_base, new_exponent)
            }
        }
        Node::Call(function, a, b) => {
            if function.arity() == 1 {
                to.call(function, at(a))
            } else {
                to.call2(function, at(a), at(b))
            }
        }
        Node::Table { table, order, argument } => to.table(table, order, at(argument)),
        Node::Unspecified { ref function, ref orders, ref arguments } => {
            let arguments: Vec<Id> = arguments.iter().map(|&argument| at(argument)).collect();
            to.unspecified(function, orders, &arguments)
        }
        Node::Compare(relation, a, b) => to.compare(relation, at(a), at(b)),
        Node::And(a, b) => to.and(at(a), at(b)),
        Node::Or(a, b) => to.or(at(a), at(b)),
        Node::Not(a) => to.not(at(a)),
        Node::Select(condition, a, b) => to.select(at(condition), at(a), at(b)),
    }
}

/// A product of more sums than this is not multiplied out.
const MOST_SUMS: usize = 64;

/// A simplification at work: the graph it tries things in, and what it may still spend.
struct Work {
    graph: Graph,
    /// The most terms that a polynomial may have.
    budget: usize,
    /// How many terms may still be written in all.
    fuel: usize,
    costs: Vec<u64>,
    /// What [`Work::content`] found.
    contents: FastMap<Id, Content>,
}

/// A sum as a number times common factors times the rest.
type Content = (Number, Rc<[(Id, i32)]>, Id);

/// An expression in its two forms.
#[derive(Clone)]
struct Form {
    /// The shortest that was found.
    short: Id,
    /// Multiplied out, or a single term where that would be too long.
    poly: Rc<Poly>,
}

impl Work {
    fn new(budget: usize, nodes: usize) -> Self {
        let fuel = budget.saturating_mul(200).saturating_add(nodes.saturating_mul(50));
        Self { graph: Graph::new(), budget, fuel, costs: Vec::new(), contents: FastMap::default() }
    }

    /// The short forms of `roots`, expressions of `source`, in the graph of the work.
    fn simplify(&mut self, source: &Graph, roots: &[Id]) -> Vec<Id> {
        let order = source.reachable(roots);
        let absorbed = absorbed_sums(source, &order, roots);
        let mut forms: FastMap<Id, Form> = FastMap::default();
        for &id in &order {
            if absorbed.contains_key(&id) {
                continue;
            }
            let form = match source.node(id) {
                Node::Sum { .. } => {
                    let (constant, terms) = flattened(source, id, &absorbed);
                    let summands: Vec<_> = terms.iter().map(|(c, term)| (*c, forms[term].clone())).collect();
                    self.simplify_sum(constant, &summands)
                }
                Node::Product { coefficient, factors } => {
                    let factors: Vec<_> = factors.iter().map(|(factor, e)| (forms[factor].clone(), *e)).collect();
                    self.simplify_product(*coefficient, &factors)
                }
                &Node::Call(function, argument, _) if function.arity() == 1 => {
                    let short = self.call(function, forms[&argument].short);
                    self.atom(short)
                }
                node => {
                    let short = rebuild(node, &mut self.graph, |operand| forms[&operand].short);
                    self.atom(short)
                }
            };
            forms.insert(id, form);
        }
        roots.iter().map(|root| forms[root].short).collect()
    }

    /// A form whose polynomial is what stands there.
    fn atom(&mut self, short: Id) -> Form {
        let poly = match self.graph.node(short) {
            Node::Sum { terms, .. } if terms.len() < self.budget.min(self.fuel) => self.terms_of(short),
            _ => collect(vec![self.split(short)]),
        };
        Form { short, poly: Rc::new(poly) }
    }

    /// A function of one argument. Even and odd ones get an argument whose first term is positive, so that cos(a − b) and
    /// cos(b − a) are one.
    fn call(&mut self, function: Function, argument: Id) -> Id {
        use Function::{Abs, Asin, Atan, Cos, Cosh, Sign, Sin, Sinh, Tan, Tanh};
        let negative = matches!(self.graph.node(argument), Node::Sum { terms, .. } if terms[0].0.is_negative());
        if !negative || !matches!(function, Sin | Tan | Asin | Atan | Sinh | Tanh | Sign | Cos | Cosh | Abs) {
            return self.graph.call(function, argument);
        }
        let opposite = match self.graph.node(argument) {
            Node::Sum { constant, terms } => {
                let (constant, terms) = (constant.negated(), terms.clone());
                let terms: Vec<_> = terms.iter().map(|&(c, term)| (c.negated(), term)).collect();
                self.graph.sum_with(constant, &terms)
            }
            _ => self.graph.negate(argument),
        };
        let value = self.graph.call(function, opposite);
        if matches!(function, Cos | Cosh | Abs) { value } else { self.graph.negate(value) }
    }

    /// A sum, given the forms of its terms.
    fn simplify_sum(&mut self, constant: Number, summands: &[(Number, Form)]) -> Form {
        let mut kept: Vec<_> = summands.iter().map(|(c, form)| (*c, form.short)).collect();
        kept.push((constant, Id::ONE));
        let written: usize = summands.iter().map(|(_, form)| form.poly.len()).sum();
        let affordable = written <= self.budget && {
            let weight = summands.iter().map(|(_, form)| self.weight(&form.poly)).sum();
            self.spend(weight)
        };
        let polys = if affordable { scaled(constant, summands) } else { None };
        let Some(polys) = polys else {
            let short = self.graph.sum(&kept);
            return self.opaque(short);
        };
        // Terms that share nothing are left alone; only where something can meet is it worth multiplying out.
        let mut best: Vec<(Number, Id)> = Vec::new();
        let mut whole: Poly = Vec::new();
        for group in self.groups(&polys) {
            let as_written: Vec<_> = group.iter().map(|&index| kept[index]).collect();
            if let [(c, short)] = as_written[..] {
                best.push((c, short));
                whole.extend(&polys[group[0]]);
                continue;
            }
            let as_written = self.graph.sum(&as_written);
            let poly = collect(group.iter().flat_map(|&index| polys[index].iter().copied()).collect());
            let (short, poly) = self.shortest(as_written, poly);
            best.push((Number::ONE, short));
            whole.extend(poly);
        }
        let sum = self.graph.sum(&best);
        let terms = self.terms_of(sum);
        let built = self.build(&terms);
        let short = self.shorter(sum, built);
        Form { short, poly: Rc::new(collect(whole)) }
    }

    /// A form that is not to be looked into.
    fn opaque(&mut self, short: Id) -> Form {
        let poly = collect(vec![self.split(short)]);
        Form { short, poly: Rc::new(poly) }
    }

    /// A product, given the forms of its factors.
    fn simplify_product(&mut self, coefficient: Number, factors: &[(Form, i32)]) -> Form {
        let mut number = coefficient;
        let mut bases: Vec<(Id, i32)> = Vec::new();
        for (form, exponent) in factors {
            let (content, common, rest) = self.content(form.short);
            match content.power(*exponent).and_then(|power| number.times(power)) {
                Some(total) if rest != form.short => {
                    number = total;
                    bases.extend(common.iter().filter_map(|&(base, e)| Some((base, e.checked_mul(*exponent)?))));
                    bases.push((rest, *exponent));
                }
                _ => bases.push((form.short, *exponent)),
            }
        }
        let short = self.graph.product(number, &bases);
        let Some(poly) = self.expand_product(coefficient, factors) else { return self.opaque(short) };
        let (short, poly) = self.shortest(short, poly);
        Form { short, poly: Rc::new(poly) }
    }

    /// The polynomial of a product, where it stays within the budget.
    fn expand_product(&mut self, coefficient: Number, factors: &[(Form, i32)]) -> Option<Poly> {
        // What is a single term goes together at once; only the rest has to be multiplied out.
        let mut number = coefficient;
        let mut single: Vec<(Id, i32)> = Vec::with_capacity(factors.len());
        let mut sums: Vec<(&Poly, i32)> = Vec::new();
        for (form, exponent) in factors {
            if let [(monomial, k)] = form.poly[..] {
                number = number.times(k.power(*exponent)?)?;
                single.push((monomial, *exponent));
            } else if *exponent > 0 {
                sums.push((&form.poly, *exponent));
            } else {
                single.push((form.short, *exponent));
            }
        }
        if sums.iter().map(|&(_, exponent)| exponent as usize).sum::<usize>() > MOST_SUMS {
            return None;
        }
        let single = self.graph.product(number, &single);
        let mut poly = vec![self.split(single)];
        for (sum, exponent) in sums {
            for _ in 0..exponent {
                poly = self.times(&poly, sum)?;
            }
        }
        Some(poly)
    }

    /// The shortest of what was written and of what becomes of its polynomial, and the polynomial that goes on.
    fn shortest(&mut self, as_written: Id, poly: Poly) -> (Id, Poly) {
        let mut best = as_written;
        let mut shortest = poly.clone();
        let mut candidates = vec![poly.clone()];
        candidates.extend(self.trigonometric_forms(&poly));
        for candidate in candidates {
            let built = self.build(&candidate);
            if candidate.len() < shortest.len() {
                shortest = candidate;
            }
            best = self.shorter(best, built);
        }
        (best, shortest)
    }

    /// The cheaper of two expressions to read; the first where they are equal.
    fn shorter(&mut self, first: Id, second: Id) -> Id {
        if self.cost(second) < self.cost(first) { second } else { first }
    }

    /// How much there is to read: names, numbers and operations, written out.
    fn cost(&mut self, id: Id) -> u64 {
        for index in self.costs.len()..=id.index() {
            let at = |operand: Id| self.costs[operand.index()];
            let number = |number: Number| u64::from(number.magnitude() != Number::ONE);
            let cost = match self.graph.node(Id::from_index(index)) {
                Node::Sum { constant, terms } => {
                    let constant = if constant.is_zero() { 0 } else { 2 };
                    terms.iter().fold(constant, |sum: u64, &(c, term)| {
                        sum.saturating_add(at(term)).saturating_add(1 + number(c))
                    })
                }
                Node::Product { coefficient, factors } => {
                    factors.iter().fold(number(*coefficient), |sum: u64, &(factor, exponent)| {
                        let sum_inside = u64::from(matches!(self.graph.node(factor), Node::Sum { .. }));
                        let power = u64::from(exponent != 1);
                        sum.saturating_add(at(factor)).saturating_add(1 + sum_inside + power)
                    })
                }
                node => {
                    let mut sum = 1u64;
                    node.operands(|operand| sum = sum.saturating_add(at(operand)));
                    sum
                }
            };
            self.costs.push(cost);
        }
        self.costs[id.index()]
    }

    /// Takes from what may be spent; says whether it was there.
    fn spend(&mut self, terms: usize) -> bool {
        let enough = self.fuel >= terms;
        self.fuel = self.fuel.saturating_sub(terms);
        enough
    }
}

/// The polynomials of summands times their coefficients, and that of the constant last; nothing if a number overflows.
fn scaled(constant: Number, summands: &[(Number, Form)]) -> Option<Vec<Poly>> {
    let mut polys = Vec::with_capacity(summands.len() + 1);
    for (c, form) in summands {
        polys.push(form.poly.iter().map(|&(id, k)| Some((id, k.times(*c)?))).collect::<Option<Poly>>()?);
    }
    polys.push(collect(vec![(Id::ONE, constant)]));
    Some(polys)
}

/// Sums that occur once, in another sum, plainly added or subtracted: they are read as part of it. A number so large
/// that sums of it overflow keeps its sum apart.
fn absorbed_sums(source: &Graph, order: &[Id], roots: &[Id]) -> FastMap<Id, ()> {
    let mut uses: FastMap<Id, (u32, bool)> = FastMap::default();
    for &id in order {
        let node = source.node(id);
        node.operands(|operand| uses.entry(operand).or_insert((0, false)).0 += 1);
        if let Node::Sum { terms, .. } = node {
            for &(c, term) in terms.iter() {
                if c.magnitude().is_one() {
                    uses.entry(term).or_insert((0, false)).1 = true;
                }
            }
        }
    }
    for root in roots {
        uses.insert(*root, (2, false));
    }
    let once = |id: &Id| {
        let moderate = |number: &Number| number.magnitude().to_f64() < 1e200;
        uses.get(id) == Some(&(1, true)) && matches!(source.node(*id), Node::Sum { constant, .. } if moderate(constant))
    };
    order.iter().copied().filter(once).map(|id| (id, ())).collect()
}

/// A sum with the sums inside it that are read as part of it.
fn flattened(source: &Graph, sum: Id, absorbed: &FastMap<Id, ()>) -> (Number, Vec<(Number, Id)>) {
    let mut constant = Number::ZERO;
    let mut flat = Vec::new();
    let mut stack = vec![(false, Number::ONE, sum)];
    while let Some((negative, c, id)) = stack.pop() {
        match source.node(id) {
            Node::Sum { constant: more, terms } if id == sum || absorbed.contains_key(&id) => {
                let negative = negative != c.is_negative();
                let more = if negative { more.negated() } else { *more };
                // Moderate numbers: their sum is finite.
                constant = constant.plus(more).unwrap_or(constant);
                stack.extend(terms.iter().rev().map(|&(c, term)| (negative, c, term)));
            }
            _ => flat.push((if negative { c.negated() } else { c }, id)),
        }
    }
    (constant, flat)
}

#[cfg(test)]
mod tests;
