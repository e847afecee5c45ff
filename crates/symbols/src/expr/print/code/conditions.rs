//! The conditions under which expressions have a value: denominators that do not vanish, arguments within the domain of their function.
//!
//! A condition is tested relative to the rounding error of what it is about. That error is estimated to first order from the terms:
//! a sum has the errors of its terms, however much they cancel, and a sine the error of an angle of about 1.

use super::language::commentable;
use crate::expr::function::{Function, Relation};
use crate::expr::graph::{FastMap, Graph, Id, Node, Symbol};
use crate::expr::number::Number;
use crate::expr::print::{Notation, Printed, Style};

/// A quantity below this part of its terms counts as zero: fewer than four of its digits are left.
const NEGLIGIBLE: &str = "1e-12";
/// Beyond this there is no value.
const LARGEST: &str = "1.7e308";
/// Longer parts of a text get a name, and the text is cut at twice this length.
const LONG: usize = 160;

/// What an expression needs in order to have a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Need {
    NotZero(Id),
    Positive(Id),
    NotNegative(Id),
    Zero(Id),
    /// From −1 to 1.
    Within(Id),
    /// Not an odd multiple of a right angle.
    NotUpright(Id),
    Finite(Id),
}

impl Need {
    fn about(self, graph: &mut Graph) -> Id {
        match self {
            Self::NotZero(id) | Self::Positive(id) | Self::NotNegative(id) | Self::Zero(id) => id,
            Self::Within(id) | Self::Finite(id) => id,
            Self::NotUpright(id) => graph.call(Function::Cos, id),
        }
    }
}

/// Where formulas hold, besides where they have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In words: "`floor` is open".
    pub text: String,
    /// The same for a state.
    pub test: Test,
}

/// What a [`Limit`] needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Something that is not zero, such as the velocity of what slides.
    NotZero(Id),
    /// Something positive, such as the reaction of what pushes.
    Positive(Id),
    /// Something that is zero, such as the difference between a parameter and the value that was put in for it.
    Zero(Id),
    /// A gap that is positive, or zero and about to open.
    Open {
        /// What must not be negative.
        gap: Id,
        /// Its rate.
        rate: Id,
    },
}

impl Test {
    /// What it is about.
    pub fn about(self) -> Vec<Id> {
        match self {
            Self::NotZero(id) | Self::Positive(id) | Self::Zero(id) => vec![id],
            Self::Open { gap, rate } => vec![gap, rate],
        }
    }

    /// The same about other expressions, in the order of [`Test::about`].
    #[must_use]
    pub fn with(self, about: &[Id]) -> Self {
        match (self, about) {
            (Self::NotZero(_), &[id]) => Self::NotZero(id),
            (Self::Positive(_), &[id]) => Self::Positive(id),
            (Self::Zero(_), &[id]) => Self::Zero(id),
            (Self::Open { .. }, &[gap, rate]) => Self::Open { gap, rate },
            _ => self,
        }
    }
}

/// A condition under which expressions have a value.
#[derive(Clone, Debug)]
pub struct CodeCondition {
    /// What it is about: what must not vanish, what a root is taken of.
    pub about: Id,
    /// True where it holds by more than rounding.
    pub test: Id,
    /// True where it holds in exact numbers.
    pub(super) exact: Id,
    /// It, in the language of models: `x - y != 0`.
    pub text: String,
}

/// The conditions of `roots`, in the order of evaluation, and those of their limits: gaps and slips first, and what is computed from
/// forces last. A part of a branch needs what it needs only where the branch is taken.
pub(super) fn conditions(
    graph: &mut Graph,
    roots: &[Id],
    limits: &[Limit],
    name: &dyn Fn(Symbol) -> String,
) -> Vec<CodeCondition> {
    let roots: Vec<Id> = roots.iter().copied().chain(limits.iter().flat_map(|limit| limit.test.about())).collect();
    let order = graph.reachable(&roots);
    let guards = guards(graph, &order, &roots);
    let mut needs: Vec<(Need, Id)> = Vec::new();
    let mut places: FastMap<Need, usize> = FastMap::default();
    for &id in &order {
        for need in needs_of(graph, id) {
            if let Some(&place) = places.get(&need) {
                needs[place].1 = either(graph, needs[place].1, guards[&id]);
            } else {
                places.insert(need, needs.len());
                needs.push((need, guards[&id]));
            }
        }
    }
    // What is positive is not negative.
    let positive: Vec<(Id, Id)> = needs
        .iter()
        .filter_map(|&(need, guard)| if let Need::Positive(id) = need { Some((id, guard)) } else { None })
        .collect();
    let covered = |id: Id, guard: Id| positive.iter().any(|&(p, g)| p == id && (g == guard || g == Id::ONE));
    needs.retain(|&(need, guard)| !matches!(need, Need::NotNegative(id) | Need::NotZero(id) if covered(id, guard)));
    let mut errors: FastMap<Id, Option<Id>> = FastMap::default();
    let mut found = Vec::new();
    let (last, first): (Vec<&Limit>, _) = limits.iter().partition(|limit| matches!(limit.test, Test::Positive(_)));
    found.extend(first.into_iter().map(|limit| limited(graph, limit, &mut errors, name)));
    for (need, guard) in needs {
        let (about, (test, exact)) = (need.about(graph), tests(graph, need, &mut errors));
        let otherwise = graph.not(guard);
        let (test, exact) = (either(graph, otherwise, test), either(graph, otherwise, exact));
        if test != Id::ONE {
            found.push(CodeCondition { about, test, exact, text: text(graph, need, name) });
        }
    }
    found.extend(last.into_iter().map(|limit| limited(graph, limit, &mut errors, name)));
    found
}

/// The condition of a limit.
fn limited(
    graph: &mut Graph,
    limit: &Limit,
    errors: &mut FastMap<Id, Option<Id>>,
    name: &dyn Fn(Symbol) -> String,
) -> CodeCondition {
    let (need, (test, exact)) = match limit.test {
        Test::NotZero(id) => (Need::NotZero(id), tests(graph, Need::NotZero(id), errors)),
        Test::Positive(id) => (Need::Positive(id), tests(graph, Need::Positive(id), errors)),
        Test::Zero(id) => (Need::Zero(id), tests(graph, Need::Zero(id), errors)),
        Test::Open { gap, rate } => {
            let [(open, wide), (opens, widens)] = [gap, rate].map(|id| tests(graph, Need::Positive(id), errors));
            let (size, least) = (graph.call(Function::Abs, gap), least(graph, gap, errors));
            let touches = graph.compare(Relation::LessEqual, size, least);
            let leaves = both(graph, touches, opens);
            let touches = graph.compare(Relation::LessEqual, Id::ZERO, gap);
            let parts = both(graph, touches, widens);
            (Need::Positive(gap), (either(graph, open, leaves), either(graph, wide, parts)))
        }
    };
    let text = format!("{} ({})", text(graph, need, name), commentable(&limit.text).replace(['"', '`'], ""));
    CodeCondition { about: need.about(graph), test, exact, text }
}

/// Where each expression is needed at all: `Id::ONE` is everywhere.
fn guards(graph: &mut Graph, order: &[Id], roots: &[Id]) -> FastMap<Id, Id> {
    let mut guards: FastMap<Id, Id> = order.iter().map(|&id| (id, Id::ZERO)).collect();
    guards.extend(roots.iter().map(|&root| (root, Id::ONE)));
    for &id in order.iter().rev() {
        let guard = guards[&id];
        let mut reached: Vec<(Id, Id)> = Vec::new();
        match *graph.node(id) {
            Node::Select(condition, then, otherwise) => {
                let not = graph.not(condition);
                reached.push((condition, guard));
                reached.push((then, both(graph, guard, condition)));
                reached.push((otherwise, both(graph, guard, not)));
            }
            Node::And(first, second) => {
                reached.push((first, guard));
                reached.push((second, both(graph, guard, first)));
            }
            Node::Or(first, second) => {
                let not = graph.not(first);
                reached.push((first, guard));
                reached.push((second, both(graph, guard, not)));
            }
            ref node => node.operands(|operand| reached.push((operand, guard))),
        }
        for (operand, guard) in reached {
            let known = guards[&operand];
            guards.insert(operand, either(graph, known, guard));
        }
    }
    guards
}

fn both(graph: &mut Graph, a: Id, b: Id) -> Id {
    match (a, b) {
        (Id::ONE, other) | (other, Id::ONE) => other,
        (a, b) if a == b => a,
        (a, b) => graph.and(a, b),
    }
}

fn either(graph: &mut Graph, a: Id, b: Id) -> Id {
    match (a, b) {
        (Id::ZERO, other) | (other, Id::ZERO) => other,
        (a, b) if a == b => a,
        (a, b) => graph.or(a, b),
    }
}

/// What one expression needs of its operands.
fn needs_of(graph: &Graph, id: Id) -> Vec<Need> {
    match *graph.node(id) {
        Node::Product { ref factors, .. } => {
            let below = factors.iter().filter(|&&(factor, exponent)| exponent < 0 && !never_zero(graph, factor, 16));
            below.map(|&(factor, _)| not_zero(graph, factor)).collect()
        }
        Node::Call(function, a, _) => match function {
            Function::Sqrt if !graph.is_never_negative(a) => vec![Need::NotNegative(a)],
            Function::Log if !(graph.is_never_negative(a) && never_zero(graph, a, 16)) => vec![Need::Positive(a)],
            Function::Asin | Function::Acos => vec![Need::Within(a)],
            Function::Tan => vec![Need::NotUpright(a)],
            _ => Vec::new(),
        },
        Node::Power(base, exponent) => match (graph.as_number(base), graph.as_number(exponent)) {
            (Some(base), _) if !base.is_negative() && !base.is_zero() => Vec::new(),
            (_, Some(exponent)) if exponent.is_negative() => vec![Need::Positive(base)],
            (_, Some(_)) if graph.is_never_negative(base) => Vec::new(),
            (_, Some(_)) => vec![Need::NotNegative(base)],
            _ => vec![Need::Finite(id)],
        },
        _ => Vec::new(),
    }
}

/// A root vanishes where its argument does, and the argument says it to more digits.
fn not_zero(graph: &Graph, id: Id) -> Need {
    match *graph.node(id) {
        Node::Call(Function::Sqrt, a, _) => Need::Positive(a),
        Node::Call(Function::Abs, a, _) => Need::NotZero(a),
        Node::Power(base, exponent) if graph.as_number(exponent).is_some_and(|e| !e.is_negative()) => {
            Need::Positive(base)
        }
        _ => Need::NotZero(id),
    }
}

/// Whether an expression is known to have no zero. Nothing is assumed of parameters: callers may change them.
fn never_zero(graph: &Graph, id: Id, depth: u8) -> bool {
    if depth == 0 {
        return false;
    }
    match graph.node(id) {
        Node::Number(number) => !number.is_zero(),
        Node::Pi | Node::Call(Function::Exp | Function::Cosh, ..) => true,
        Node::Call(Function::Sqrt | Function::Abs, a, _) => never_zero(graph, *a, depth - 1),
        Node::Sum { constant, terms } => {
            let rising = terms.iter().all(|&(c, term)| !c.is_negative() && graph.is_never_negative(term));
            let some = !constant.is_zero() || terms.iter().any(|&(_, term)| never_zero(graph, term, depth - 1));
            !constant.is_negative() && rising && some
        }
        Node::Product { factors, .. } => factors.iter().all(|&(factor, _)| never_zero(graph, factor, depth - 1)),
        _ => false,
    }
}

/// The condition as an expression: beyond rounding, and in exact numbers.
fn tests(graph: &mut Graph, need: Need, errors: &mut FastMap<Id, Option<Id>>) -> (Id, Id) {
    let minus_one = graph.integer(-1);
    match need {
        Need::NotZero(id) => {
            let size = graph.call(Function::Abs, id);
            let least = least(graph, id, errors);
            (graph.compare(Relation::Less, least, size), id)
        }
        Need::Positive(id) => {
            let least = least(graph, id, errors);
            (graph.compare(Relation::Less, least, id), graph.compare(Relation::Less, Id::ZERO, id))
        }
        Need::NotNegative(id) => {
            let test = graph.compare(Relation::LessEqual, Id::ZERO, id);
            (test, test)
        }
        Need::Zero(id) => {
            let size = graph.call(Function::Abs, id);
            let least = least(graph, id, errors);
            (graph.compare(Relation::LessEqual, size, least), graph.compare(Relation::LessEqual, size, Id::ZERO))
        }
        Need::Within(id) => {
            let least = graph.compare(Relation::LessEqual, minus_one, id);
            let most = graph.compare(Relation::LessEqual, id, Id::ONE);
            let test = both(graph, least, most);
            (test, test)
        }
        Need::NotUpright(id) => {
            let cosine = graph.call(Function::Cos, id);
            tests(graph, Need::NotZero(cosine), errors)
        }
        Need::Finite(id) => {
            let (size, most) = (graph.call(Function::Abs, id), number(graph, LARGEST));
            let test = graph.compare(Relation::LessEqual, size, most);
            (test, test)
        }
    }
}

fn number(graph: &mut Graph, text: &str) -> Id {
    graph.number(Number::decimal(text).unwrap_or(Number::ZERO))
}

/// What counts as zero for an expression.
fn least(graph: &mut Graph, id: Id, errors: &mut FastMap<Id, Option<Id>>) -> Id {
    for part in graph.reachable(&[id]) {
        if !errors.contains_key(&part) {
            let error = error(graph, part, errors);
            errors.insert(part, error);
        }
    }
    match errors[&id] {
        Some(error) => {
            let negligible = number(graph, NEGLIGIBLE);
            graph.multiply(negligible, error)
        }
        None => Id::ZERO,
    }
}

/// The error of an expression in units of rounding, never below its magnitude; `None` is its magnitude.
fn error(graph: &mut Graph, id: Id, errors: &FastMap<Id, Option<Id>>) -> Option<Id> {
    let of = |graph: &mut Graph, part: Id| errors[&part].unwrap_or_else(|| graph.call(Function::Abs, part));
    match graph.node(id).clone() {
        Node::Sum { constant, terms } => {
            let exact = terms.iter().all(|(_, term)| errors[term].is_none());
            if exact && graph.is_never_negative(id) {
                return None;
            }
            let terms: Vec<(Number, Id)> = terms.iter().map(|&(c, term)| (c.magnitude(), of(graph, term))).collect();
            Some(graph.sum_with(constant.magnitude(), &terms))
        }
        Node::Product { coefficient, factors } => {
            let sizes: Vec<(Id, i32)> =
                factors.iter().map(|&(factor, exponent)| (graph.call(Function::Abs, factor), exponent)).collect();
            let mut sum: Option<Id> = None;
            for (place, &(factor, exponent)) in factors.iter().enumerate() {
                let Some(error) = errors[&factor] else { continue };
                let mut parts = sizes.clone();
                parts[place].1 = exponent.saturating_sub(1);
                parts.retain(|&(_, exponent)| exponent != 0);
                parts.push((error, 1));
                let times = Number::integer(i64::from(exponent).abs());
                let coefficient = coefficient.magnitude().times(times).unwrap_or(Number::ONE);
                let part = graph.product(coefficient, &parts);
                sum = Some(sum.map_or(part, |sum| graph.add(sum, part)));
            }
            sum
        }
        Node::Call(function, a, b) => match function {
            Function::Sin | Function::Cos | Function::Acos | Function::Atan2 => Some(Id::ONE),
            Function::Log => {
                let log = graph.call(Function::Abs, id);
                Some(graph.add(log, Id::ONE))
            }
            Function::Tan => {
                let (error, square) = (of(graph, a), graph.integer_power(id, 2));
                let slope = graph.add(Id::ONE, square);
                Some(graph.multiply(slope, error))
            }
            // Their slope is 1 at the only zero that they have.
            Function::Asin | Function::Atan | Function::Sinh | Function::Tanh => errors[&a],
            Function::Abs => errors[&a],
            Function::Min | Function::Max if errors[&a].is_some() || errors[&b].is_some() => {
                let (a, b) = (of(graph, a), of(graph, b));
                Some(graph.add(a, b))
            }
            _ => None,
        },
        Node::Select(condition, a, b) if errors[&a].is_some() || errors[&b].is_some() => {
            let (a, b) = (of(graph, a), of(graph, b));
            Some(graph.select(condition, a, b))
        }
        _ => None,
    }
}

fn text(graph: &Graph, need: Need, name: &dyn Fn(Symbol) -> String) -> String {
    let (id, before, after) = match need {
        Need::NotZero(id) => (id, "", " != 0"),
        Need::Positive(id) => (id, "", " > 0"),
        Need::NotNegative(id) => (id, "", " >= 0"),
        Need::Zero(id) => (id, "", " = 0"),
        Need::Within(id) => (id, "-1 <= ", " <= 1"),
        Need::NotUpright(id) => (id, "cos(", ") != 0"),
        Need::Finite(id) => (id, "a finite ", ""),
    };
    let Printed { definitions, expressions } = graph.print_with_names(&[id], &Style::new(Notation::Text, name), LONG);
    let mut text = format!("{before}{}{after}", expressions.concat());
    // What the condition is made of comes first, what that is made of later: the end may be cut off.
    for (index, (name, part)) in definitions.iter().rev().enumerate() {
        text += &format!("{}{name} = {part}", if index == 0 { ", where " } else { ", " });
    }
    let text = commentable(&text).replace('"', "'");
    match text.char_indices().nth(2 * LONG) {
        Some((end, _)) => text[..end].to_string() + " ...",
        None => text,
    }
}
