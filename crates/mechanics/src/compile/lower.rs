//! From the graph to straight-line code: sums and products become binary operations.
//!
//! What depends on parameters alone comes first. Of the rest every sum and product is held as a sum of products
//! ([`Forms`]), whose coefficients are numbers and parameters multiplied out; what they share is found, and then they are
//! written down, operands first. Signs travel to where they cost nothing; reciprocals that several products share are formed once.

use super::code::{Code, Op, Ref};
use super::constant::times_pi;
use super::expand::{Eagerness, Item, expand};
use super::factor::{Atom, Definition, Forms, Signed};
use holonom_symbols::expr::{FastMap, Function, Graph, Id, Node, Number, Relation};

struct Lowering<'a> {
    graph: &'a Graph,
    code: Code,
    /// Values of fixed expressions, and of others as soon as they are written.
    done: FastMap<Id, Signed>,
    forms: Forms,
    /// The atom that an expression is which is not fixed.
    atoms: FastMap<Id, Atom>,
    /// The values of atoms, as soon as they are written.
    written: Vec<Option<Signed>>,
    /// In how many products an atom occurs.
    uses: Vec<u32>,
    /// Of which of sine (1) and cosine (2) it is the argument.
    circular: FastMap<Id, u8>,
    /// The sine or cosine that was met first, by its argument.
    first: FastMap<Id, Atom>,
    /// The cosine of a sine, and the other way round; itself where there is no other.
    partner: FastMap<Atom, Atom>,
    eagerness: Eagerness,
    one: Ref,
}

/// Products with more factors than this are not repeated in the sums that they are terms of.
const LONG: u32 = 12;

/// The values of `roots`, and the code that computes them: the shorter of two.
pub(crate) fn lower(graph: &Graph, roots: &[Id]) -> (Code, Vec<Ref>) {
    let modest = lower_with(graph, roots, Eagerness::Modest);
    let eager = lower_with(graph, roots, Eagerness::Eager);
    if eager.0.operations(&eager.1) < modest.0.operations(&modest.1) { eager } else { modest }
}

fn lower_with(graph: &Graph, roots: &[Id], eagerness: Eagerness) -> (Code, Vec<Ref>) {
    let order = reachable(graph, roots);
    let mut code = Code::default();
    // Value 0 stands where an operation has no further operand.
    code.constant(0.0);
    let one = code.constant(1.0);
    let mut lowering = Lowering {
        graph,
        code,
        done: FastMap::default(),
        forms: Forms::new(one),
        atoms: FastMap::default(),
        written: vec![],
        uses: vec![],
        circular: FastMap::default(),
        first: FastMap::default(),
        partner: FastMap::default(),
        eagerness,
        one,
    };
    let (fixed, varying): (Vec<Id>, Vec<Id>) = order.into_iter().partition(|&id| graph.depends(id).is_fixed());
    for &id in &fixed {
        let value = lowering.fixed(id);
        lowering.done.insert(id, value);
    }
    for &id in &varying {
        lowering.form(id);
    }
    lowering.forms.factor();
    lowering.count_uses();
    for root in roots.iter().filter(|&&root| !graph.depends(root).is_fixed()) {
        lowering.write(lowering.atoms[root]);
    }
    let values = roots.iter().map(|&root| lowering.plain(root)).collect();
    (lowering.code, values)
}

/// What `roots` are made of, operands first. Takes time by their size, not by that of the graph.
fn reachable(graph: &Graph, roots: &[Id]) -> Vec<Id> {
    let mut seen: FastMap<Id, ()> = FastMap::default();
    let mut order = Vec::new();
    let mut stack: Vec<Id> = roots.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id, ()).is_none() {
            order.push(id);
            graph.node(id).operands(|operand| stack.push(operand));
        }
    }
    order.sort_unstable();
    order
}

/// Whether a factor is π itself, which goes into the coefficient.
fn is_pi(graph: &Graph, factor: Id, exponent: i32) -> bool {
    exponent == 1 && *graph.node(factor) == Node::Pi
}

fn positive(value: Ref) -> Signed {
    Signed { negative: false, value }
}

impl Lowering<'_> {
    fn number(&mut self, number: Number) -> Signed {
        let value = number.to_f64();
        Signed { negative: value < 0.0, value: self.code.constant(value.abs()) }
    }

    /// A fixed expression, operands being done.
    fn fixed(&mut self, id: Id) -> Signed {
        match *self.graph.node(id) {
            Node::Number(number) => self.number(number),
            Node::Pi => positive(self.code.constant(std::f64::consts::PI)),
            Node::Sum { constant, ref terms } => {
                let mut all = Vec::with_capacity(terms.len() + 1);
                if !constant.is_zero() {
                    all.push(self.number(constant));
                }
                all.extend(terms.iter().map(|&(coefficient, term)| self.coefficient(coefficient, &[(term, 1)])));
                self.add_up(&all)
            }
            Node::Product { coefficient, ref factors } => self.coefficient(coefficient, factors),
            _ => self.leaf(id),
        }
    }

    /// A number times fixed factors; others are left out.
    fn coefficient(&mut self, coefficient: Number, factors: &[(Id, i32)]) -> Signed {
        let magnitude = coefficient.magnitude();
        let mut negative = coefficient.is_negative();
        // A multiple of π is rounded once.
        let times_pi_or_not = |magnitude: Number| match factors.iter().any(|&(f, e)| is_pi(self.graph, f, e)) {
            true => times_pi(magnitude),
            false => magnitude.to_f64(),
        };
        let mut above = self.code.constant(times_pi_or_not(magnitude));
        let mut below = self.one;
        for &(factor, exponent) in factors {
            if is_pi(self.graph, factor, exponent) {
                continue;
            }
            let Some(&base) = self.done.get(&factor) else { continue };
            negative ^= base.negative && exponent % 2 != 0;
            let power = self.code.power(base.value, exponent.unsigned_abs());
            let side = if exponent > 0 { &mut above } else { &mut below };
            *side = self.code.multiply(*side, power);
        }
        Signed { negative, value: self.code.divide(above, below) }
    }

    /// Makes the form of an expression that is not fixed, operands having theirs.
    fn form(&mut self, id: Id) {
        let atom = match *self.graph.node(id) {
            Node::Sum { constant, ref terms } => {
                let mut fixed = Vec::new();
                if !constant.is_zero() {
                    fixed.push(self.number(constant));
                }
                for &(coefficient, term) in terms.iter() {
                    if self.done.contains_key(&term) {
                        fixed.push(self.coefficient(coefficient, &[(term, 1)]));
                    }
                }
                let fixed = if fixed.is_empty() { None } else { Some(self.add_up(&fixed)) };
                let mut items = Vec::with_capacity(terms.len());
                for &(coefficient, term) in terms.iter() {
                    if !self.done.contains_key(&term) {
                        items.push(self.item(coefficient, term));
                    }
                }
                let (items, fixed) = expand(items, fixed, self.eagerness, &self.forms, &mut self.code, &self.partner);
                let (sum, atom) = self.forms.sum(fixed);
                for (coefficient, atoms) in items {
                    self.forms.term(sum, coefficient, atoms);
                }
                atom
            }
            Node::Product { coefficient, ref factors } => {
                let (sum, atom) = self.forms.sum(None);
                let coefficient = self.coefficient(coefficient, factors);
                let factors = self.factors(factors);
                self.forms.term(sum, coefficient, factors);
                atom
            }
            ref node => {
                let atom = self.forms.atom(Definition::Leaf(id));
                if let Node::Call(function @ (Function::Sin | Function::Cos), argument, _) = *node {
                    *self.circular.entry(argument).or_insert(0) |= if function == Function::Sin { 1 } else { 2 };
                    match self.first.insert(argument, atom) {
                        Some(other) => self.partner.extend([(atom, other), (other, atom)]),
                        None => self.partner.extend([(atom, atom)]),
                    }
                }
                atom
            }
        };
        self.atoms.insert(id, atom);
    }

    /// `coefficient·term`; a product brings its own factors.
    fn item(&mut self, coefficient: Number, term: Id) -> Item {
        if let Node::Product { coefficient: inner, factors } = self.graph.node(term)
            && factors.iter().map(|(_, exponent)| exponent.unsigned_abs().min(LONG)).sum::<u32>() <= LONG
            && let Some(total) = inner.times(coefficient)
        {
            (self.coefficient(total, factors), self.factors(factors))
        } else {
            (self.number(coefficient), vec![self.atoms[&term]])
        }
    }

    /// The atoms of the factors that are not fixed.
    fn factors(&mut self, factors: &[(Id, i32)]) -> Vec<Atom> {
        let mut list = Vec::new();
        for &(factor, exponent) in factors {
            let Some(&base) = self.atoms.get(&factor) else { continue };
            let base = if exponent < 0 { self.forms.atom(Definition::Reciprocal(base)) } else { base };
            match exponent.unsigned_abs() {
                count @ 1..=3 => list.extend((0..count).map(|_| base)),
                count => list.push(self.forms.atom(Definition::Power(base, count))),
            }
        }
        list
    }

    fn count_uses(&mut self) {
        self.written = vec![None; self.forms.definitions.len()];
        self.uses = vec![0; self.forms.definitions.len()];
        for monomial in &self.forms.monomials {
            monomial.atoms.iter().for_each(|&atom| self.uses[atom as usize] += 1);
        }
        for definition in &self.forms.definitions {
            match *definition {
                // Never divided by directly.
                Definition::Pair(a, b) => [a, b].iter().for_each(|&atom| self.uses[atom as usize] += 2),
                Definition::Power(a, _) => self.uses[a as usize] += 2,
                _ => {}
            }
        }
    }

    /// Writes an atom and whatever it is made of.
    fn write(&mut self, root: Atom) {
        let mut stack = vec![(root, false)];
        while let Some((atom, ready)) = stack.pop() {
            if self.written[atom as usize].is_some() {
                continue;
            }
            if ready {
                let value = self.value(atom);
                self.written[atom as usize] = Some(value);
                if let Definition::Leaf(id) = self.forms.definitions[atom as usize] {
                    self.done.insert(id, value);
                }
                continue;
            }
            stack.push((atom, true));
            let mut need = |operand: Atom| {
                if self.written[operand as usize].is_none() {
                    stack.push((operand, false));
                }
            };
            match self.forms.definitions[atom as usize] {
                Definition::Leaf(id) => self.graph.node(id).operands(|operand| {
                    self.atoms.get(&operand).copied().into_iter().for_each(&mut need);
                }),
                Definition::Sum(sum) => {
                    for &term in self.forms.sums[sum as usize].terms.iter().rev() {
                        self.forms.monomials[term as usize].atoms.iter().rev().copied().for_each(&mut need);
                    }
                }
                Definition::Pair(a, b) => [a, b].into_iter().for_each(need),
                Definition::Power(a, _) | Definition::Reciprocal(a) => need(a),
            }
        }
    }

    fn atom(&self, atom: Atom) -> Signed {
        self.written[atom as usize].unwrap_or(positive(Ref(0)))
    }

    /// The value of an atom, operands being written.
    fn value(&mut self, atom: Atom) -> Signed {
        match self.forms.definitions[atom as usize] {
            Definition::Leaf(id) => self.leaf(id),
            Definition::Pair(a, b) => self.multiply(self.atom(a), self.atom(b)),
            Definition::Power(a, count) => {
                let base = self.atom(a);
                let value = self.code.power(base.value, count);
                Signed { negative: base.negative && count % 2 != 0, value }
            }
            // One that is used once becomes a division there.
            Definition::Reciprocal(a) if self.uses[atom as usize] == 1 => self.atom(a),
            Definition::Reciprocal(a) => {
                let Signed { negative, value } = self.atom(a);
                Signed { negative, value: self.code.divide(self.one, value) }
            }
            Definition::Sum(sum) => {
                let terms = self.forms.sums[sum as usize].terms.clone();
                let mut values: Vec<Signed> = terms.iter().map(|&term| self.monomial(term)).collect();
                // Equal sums are written alike.
                values.sort_unstable_by_key(|term| term.value);
                values.extend(self.forms.sums[sum as usize].fixed);
                self.add_up(&values)
            }
        }
    }

    fn multiply(&mut self, a: Signed, b: Signed) -> Signed {
        Signed { negative: a.negative != b.negative, value: self.code.multiply(a.value, b.value) }
    }

    fn monomial(&mut self, term: u32) -> Signed {
        let monomial = self.forms.monomials[term as usize].clone();
        let (mut above, mut below): (Option<Signed>, Option<Signed>) = (None, None);
        for &atom in &monomial.atoms {
            let value = self.atom(atom);
            let divides = matches!(self.forms.definitions[atom as usize], Definition::Reciprocal(_))
                && self.uses[atom as usize] == 1;
            let side = if divides { &mut below } else { &mut above };
            *side = Some(match *side {
                Some(side) => Signed {
                    negative: side.negative != value.negative,
                    value: self.code.multiply(side.value, value.value),
                },
                None => value,
            });
        }
        let value = match above {
            Some(above) => self.multiply(monomial.coefficient, above),
            None => monomial.coefficient,
        };
        match below {
            Some(below) => {
                Signed { negative: value.negative != below.negative, value: self.code.divide(value.value, below.value) }
            }
            None => value,
        }
    }

    /// A sum whose first term is positive, or its opposite: a − b and b − a are one value.
    fn add_up(&mut self, terms: &[Signed]) -> Signed {
        let Some((&first, rest)) = terms.split_first() else { return positive(Ref(0)) };
        let mut sum = first.value;
        for term in rest {
            let op = if term.negative == first.negative { Op::Add } else { Op::Subtract };
            sum = self.code.operation(op, &[sum, term.value]);
        }
        Signed { negative: first.negative, value: sum }
    }

    /// The value of an expression itself, with its sign.
    fn plain(&mut self, id: Id) -> Ref {
        let Signed { negative, value } = match self.done.get(&id) {
            Some(&value) => value,
            None => self.atom(self.atoms[&id]),
        };
        if negative { self.code.operation(Op::Negate, &[value]) } else { value }
    }

    /// An expression that is neither sum nor product, operands being done.
    fn leaf(&mut self, id: Id) -> Signed {
        let (op, operands): (Op, [Option<Id>; 3]) = match *self.graph.node(id) {
            Node::Symbol(symbol) => return positive(self.code.input(symbol)),
            Node::Call(function @ (Function::Sin | Function::Cos), a, _) if self.circular.get(&a) == Some(&3) => {
                let argument = self.plain(a);
                let sine = self.code.operation(Op::SineCosine, &[argument]);
                return positive(match function {
                    Function::Sin => sine,
                    _ => self.code.operation(Op::Cosine, &[sine]),
                });
            }
            Node::Power(base, exponent) => (Op::Power, [Some(base), Some(exponent), None]),
            Node::Call(function, a, b) if function.arity() == 2 => (Op::Call2(function), [Some(a), Some(b), None]),
            Node::Call(function, a, _) => (Op::Call(function), [Some(a), None, None]),
            Node::Table { table, order, argument } => (Op::Table { table, order }, [Some(argument), None, None]),
            Node::Unspecified { .. } => return positive(self.stand_in(id)),
            Node::Compare(Relation::Less, a, b) => (Op::Less, [Some(a), Some(b), None]),
            Node::Compare(Relation::LessEqual, a, b) => (Op::LessEqual, [Some(a), Some(b), None]),
            Node::And(a, b) => (Op::And, [Some(a), Some(b), None]),
            Node::Or(a, b) => (Op::Or, [Some(a), Some(b), None]),
            Node::Not(a) => (Op::Not, [Some(a), None, None]),
            Node::Select(condition, a, b) => (Op::Select, [Some(condition), Some(a), Some(b)]),
            // Handled where they are met.
            Node::Number(_) | Node::Pi | Node::Sum { .. } | Node::Product { .. } => return self.done[&id],
        };
        let mut values = [Ref(0); 3];
        let mut count = 0;
        for (value, operand) in values.iter_mut().zip(operands.into_iter().flatten()) {
            *value = self.plain(operand);
            count += 1;
        }
        positive(self.code.operation(op, &values[..count]))
    }

    /// A function that is not specified: its stand-in where there is one, and no number otherwise.
    fn stand_in(&mut self, id: Id) -> Ref {
        let graph = self.graph;
        let Node::Unspecified { function, orders, arguments } = graph.node(id) else { return Ref(0) };
        if !graph.has_stand_ins() {
            return self.code.constant(f64::NAN);
        }
        let curve = graph.stand_in(function, orders);
        let arguments: Vec<Ref> = arguments.iter().map(|&argument| self.plain(argument)).collect();
        let mut sum = self.code.constant(curve.constant);
        for wave in &curve.waves {
            let mut angle = self.code.constant(wave.phase);
            for (&frequency, &argument) in wave.frequencies.iter().zip(&arguments) {
                let frequency = self.code.constant(frequency);
                let turned = self.code.multiply(frequency, argument);
                angle = self.code.operation(Op::Add, &[angle, turned]);
            }
            let (amplitude, sine) =
                (self.code.constant(wave.amplitude), self.code.operation(Op::Call(Function::Sin), &[angle]));
            let height = self.code.multiply(amplitude, sine);
            sum = self.code.operation(Op::Add, &[sum, height]);
        }
        sum
    }
}
