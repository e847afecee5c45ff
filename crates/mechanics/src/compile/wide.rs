//! Straight-line code for wide blocks of states: moves of one accumulator, which stays in registers from move to move.
//!
//! Over many states an operation costs little more than fetching its operands and storing its result. Here a sum of products
//! is gathered in the accumulator and stored once; a product that is only added to something is never stored at all.
//! Operations and their order are those of the program: every rounding is the same, nothing is fused.

use super::code::Op;
use super::layout::ProgramLayout;
use holonom_symbols::expr::{FastMap, Function};

/// What a move does to the accumulator, `x`; its operands are `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// x = a
    Take,
    /// x = −a
    Opposite,
    /// x = x + a, and so on: with a cell, or with a fixed number.
    Add,
    AddFixed,
    Subtract,
    SubtractFixed,
    /// x = a − x
    SubtractFrom,
    SubtractFromFixed,
    Multiply,
    MultiplyFixed,
    Divide,
    DivideFixed,
    /// x = a/x
    DivideInto,
    DivideIntoFixed,
    /// x = a + b, and so on; a may be a fixed number.
    Sum,
    SumFixed,
    Difference,
    DifferenceFixed,
    /// x = b − a with a fixed number a.
    Beyond,
    Product,
    ProductFixed,
    Quotient,
    QuotientFixed,
    /// x = x + a·b, rounded twice.
    AddProduct,
    AddProductFixed,
    /// x = x − a·b
    SubtractProduct,
    SubtractProductFixed,
    /// x = a·b − x
    SubtractFromProduct,
    SubtractFromProductFixed,
    Negate,
    Sqrt,
    Abs,
    /// Anything else, from cells to cells; the accumulator is lost.
    Other(Op),
}

impl Act {
    /// The same with a fixed number for `a`.
    fn fixed(self) -> Self {
        match self {
            Self::Add => Self::AddFixed,
            Self::Subtract => Self::SubtractFixed,
            Self::SubtractFrom => Self::SubtractFromFixed,
            Self::Multiply => Self::MultiplyFixed,
            Self::Divide => Self::DivideFixed,
            Self::DivideInto => Self::DivideIntoFixed,
            Self::Sum => Self::SumFixed,
            Self::Difference => Self::DifferenceFixed,
            Self::Product => Self::ProductFixed,
            Self::Quotient => Self::QuotientFixed,
            Self::AddProduct => Self::AddProductFixed,
            Self::SubtractProduct => Self::SubtractProductFixed,
            Self::SubtractFromProduct => Self::SubtractFromProductFixed,
            other => other,
        }
    }

    /// Whether `a` is a fixed number.
    fn is_fixed(self) -> bool {
        matches!(
            self,
            Self::AddFixed
                | Self::SubtractFixed
                | Self::SubtractFromFixed
                | Self::MultiplyFixed
                | Self::DivideFixed
                | Self::DivideIntoFixed
                | Self::SumFixed
                | Self::DifferenceFixed
                | Self::Beyond
                | Self::ProductFixed
                | Self::QuotientFixed
                | Self::AddProductFixed
                | Self::SubtractProductFixed
                | Self::SubtractFromProductFixed
        )
    }
}

/// The result of a move stays in the accumulator.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub act: Act,
    /// Cells, or the number of a fixed value.
    pub a: u32,
    pub b: u32,
    /// The third operand of [`Act::Other`], or where the cosine goes.
    pub c: u32,
    /// The cell that the result goes to.
    pub to: u32,
}

/// Where an input or output is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Cell(u32),
    /// A fixed value, by its number.
    Fixed(u32),
}

/// A program as moves.
#[derive(Debug)]
pub(super) struct Wide {
    pub moves: Vec<Move>,
    /// The inputs that matter: (place in the memory of the program, cell).
    pub inputs: Vec<(u32, u32)>,
    /// Fixed values that are wanted as cells: (number, cell).
    pub spread: Vec<(u32, u32)>,
    pub outputs: Vec<Place>,
    pub cells: usize,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// An input, by its place in the memory of the program.
    Given(u32),
    Fixed(u32),
    Made(Op, [usize; 3]),
    /// The cosine that comes with a sine.
    Cosine,
}

/// How a value is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// In a cell.
    Kept,
    /// Of two kept ones, used once.
    Product,
    /// In the accumulator, used once.
    Chain,
}

/// The values of a program, operands first.
struct Values {
    source: Vec<Source>,
    form: Vec<Form>,
    outputs: Vec<usize>,
}

impl Wide {
    pub fn new(program: &ProgramLayout) -> Self {
        let mut values = Values::of(program);
        values.choose_forms();
        let mut moves = Vec::new();
        for value in 0..values.source.len() {
            if let Source::Made(op, from) = values.source[value]
                && values.form[value] == Form::Kept
            {
                match arithmetic(op) {
                    true => values.gather(value, &mut moves),
                    false => {
                        let also = matches!(op, Op::SineCosine).then(|| value + 1);
                        moves.push(Draft { act: Act::Other(op), from: from.map(Some), to: Some(value), also });
                    }
                }
            }
        }
        place(&values, &moves)
    }
}

/// Whether the accumulator does it.
fn arithmetic(op: Op) -> bool {
    use Function::{Abs, Sqrt};
    matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Negate | Op::Call(Sqrt | Abs))
}

impl Values {
    /// Places of the memory are used for one value after the other; here every value has a number of its own.
    fn of(program: &ProgramLayout) -> Self {
        let resident = program.resident.clone();
        let mut current: FastMap<u32, usize> = FastMap::default();
        let mut source = Vec::new();
        let at = |place: u32, source: &mut Vec<Source>, current: &mut FastMap<u32, usize>| {
            *current.entry(place).or_insert_with(|| {
                let fixed = (place as usize).checked_sub(resident.start);
                source.push(fixed.map_or(Source::Given(place), |number| Source::Fixed(number as u32)));
                source.len() - 1
            })
        };
        for step in &program.steps {
            let mut from = [0; 3];
            for (value, &place) in from.iter_mut().zip(&step.from[..step.op.arity()]) {
                *value = at(place, &mut source, &mut current);
            }
            source.push(Source::Made(step.op, from));
            current.insert(step.to, source.len() - 1);
            if step.op == Op::SineCosine {
                source.push(Source::Cosine);
                if step.also != step.to {
                    current.insert(step.also, source.len() - 1);
                }
            }
        }
        for &(from, to) in &program.copies {
            let value = at(from, &mut source, &mut current);
            current.insert(to, value);
        }
        for &(number, to) in &program.fixed_outputs {
            let value = at(resident.start as u32 + number, &mut source, &mut current);
            current.insert(to, value);
        }
        let first = program.memory_size() - program.output_count();
        let outputs = (first..program.memory_size()).map(|place| current[&(place as u32)]).collect();
        let form = vec![Form::Kept; source.len()];
        Self { source, form, outputs }
    }

    /// What is used once and by arithmetic may stay in the accumulator, one operand of each operation.
    fn choose_forms(&mut self) {
        let mut uses = vec![0u32; self.source.len()];
        self.outputs.iter().for_each(|&value| uses[value] += 2);
        for source in &self.source {
            if let Source::Made(op, from) = source {
                from[..op.arity()].iter().for_each(|&operand| uses[operand] += 1);
            }
        }
        for (value, &uses) in uses.iter().enumerate() {
            let Source::Made(op, from) = self.source[value] else { continue };
            let operands = &from[..op.arity()];
            if !arithmetic(op) {
                operands.iter().for_each(|&operand| self.form[operand] = Form::Kept);
                continue;
            }
            let mut simple = operands.iter().all(|&operand| self.form[operand] == Form::Kept);
            if let &[x, y] = operands {
                match (self.form[x], self.form[y]) {
                    // The later one is at hand.
                    (Form::Chain, Form::Chain) => self.form[x.min(y)] = Form::Kept,
                    (Form::Product, Form::Product) if !matches!(op, Op::Add | Op::Subtract) => {
                        self.form[x.min(y)] = Form::Kept;
                    }
                    (Form::Product, Form::Chain) if !matches!(op, Op::Add | Op::Subtract) => self.form[x] = Form::Kept,
                    (Form::Chain, Form::Product) if !matches!(op, Op::Add | Op::Subtract) => self.form[y] = Form::Kept,
                    _ => {}
                }
            } else {
                simple = false;
            }
            self.form[value] = match uses {
                1 if simple && op == Op::Multiply => Form::Product,
                1 => Form::Chain,
                _ => Form::Kept,
            };
        }
    }

    fn is_fixed(&self, value: usize) -> bool {
        matches!(self.source[value], Source::Fixed(_))
    }

    /// The factors of a product that is not kept, a fixed one first.
    fn factors(&self, value: usize) -> Option<[usize; 2]> {
        match self.source[value] {
            Source::Made(Op::Multiply, [a, b, _]) if self.form[value] == Form::Product => {
                Some(if self.is_fixed(b) { [b, a] } else { [a, b] })
            }
            _ => None,
        }
    }

    /// The moves that make a value: down to where its chain begins, and up again.
    fn gather(&self, value: usize, moves: &mut Vec<Draft>) {
        let mut spine = vec![(value, self.inner(value))];
        while let Some(&(_, Some(inner))) = spine.last() {
            spine.push((inner, self.inner(inner)));
        }
        for &(link, inner) in spine.iter().rev() {
            self.link(link, inner, moves);
        }
        if let Some(last) = moves.last_mut() {
            last.to = Some(value);
        }
    }

    /// The operand that is in the accumulator when an operation is done.
    fn inner(&self, value: usize) -> Option<usize> {
        let Source::Made(op, from) = self.source[value] else { return None };
        let operands = &from[..op.arity()];
        let with = |form: Form| operands.iter().copied().find(|&operand| self.form[operand] == form);
        with(Form::Chain).or_else(|| with(Form::Product))
    }

    /// One operation, `inner` being in the accumulator.
    fn link(&self, value: usize, inner: Option<usize>, moves: &mut Vec<Draft>) {
        let Source::Made(op, from) = self.source[value] else { return };
        let mut push = |act: Act, a: Option<usize>, b: Option<usize>| {
            let act = if a.is_some_and(|a| self.is_fixed(a)) { act.fixed() } else { act };
            moves.push(Draft { act, from: [a, b, None], to: None, also: None });
        };
        if op.arity() == 1 {
            if inner.is_none() {
                if op == Op::Negate {
                    return push(Act::Opposite, Some(from[0]), None);
                }
                push(Act::Take, Some(from[0]), None);
            }
            let act = match op {
                Op::Negate => Act::Negate,
                Op::Call(Function::Sqrt) => Act::Sqrt,
                _ => Act::Abs,
            };
            return push(act, None, None);
        }
        let [x, y, _] = from;
        let Some(inner) = inner else {
            // Of two kept ones.
            return match (op, self.is_fixed(y)) {
                (Op::Add, false) => push(Act::Sum, Some(x), Some(y)),
                (Op::Add, true) => push(Act::Sum, Some(y), Some(x)),
                (Op::Multiply, false) => push(Act::Product, Some(x), Some(y)),
                (Op::Multiply, true) => push(Act::Product, Some(y), Some(x)),
                (Op::Subtract, false) => push(Act::Difference, Some(x), Some(y)),
                (Op::Subtract, true) => push(Act::Beyond, Some(y), Some(x)),
                (_, false) => push(Act::Quotient, Some(x), Some(y)),
                (_, true) => {
                    push(Act::Take, Some(x), None);
                    push(Act::Divide, Some(y), None);
                }
            };
        };
        let (other, first) = if inner == x { (y, true) } else { (x, false) };
        if let Some([a, b]) = self.factors(other) {
            let act = match (op, first) {
                (Op::Add, _) => Act::AddProduct,
                (_, true) => Act::SubtractProduct,
                (_, false) => Act::SubtractFromProduct,
            };
            return push(act, Some(a), Some(b));
        }
        let act = match (op, first) {
            (Op::Add, _) => Act::Add,
            (Op::Multiply, _) => Act::Multiply,
            (Op::Subtract, true) => Act::Subtract,
            (Op::Subtract, false) => Act::SubtractFrom,
            (_, true) => Act::Divide,
            (_, false) => Act::DivideInto,
        };
        push(act, Some(other), None);
    }
}

/// A move whose operands have no place yet.
#[derive(Clone, Copy, Debug)]
struct Draft {
    act: Act,
    from: [Option<usize>; 3],
    to: Option<usize>,
    also: Option<usize>,
}

impl Draft {
    fn operands(&self) -> impl Iterator<Item = usize> {
        let arity = if let Act::Other(op) = self.act { op.arity() } else { 3 };
        self.from.into_iter().take(arity).flatten()
    }
}

/// Finds cells for all values; those of values that are not needed any more are used again.
fn place(values: &Values, drafts: &[Draft]) -> Wide {
    let mut last: FastMap<usize, usize> = FastMap::default();
    for (index, draft) in drafts.iter().enumerate() {
        draft.operands().for_each(|operand| _ = last.insert(operand, index));
    }
    values.outputs.iter().for_each(|&value| _ = last.insert(value, usize::MAX));
    let (mut cell, mut free, mut cells): (FastMap<usize, u32>, Vec<u32>, u32) = (FastMap::default(), Vec::new(), 0);
    let (mut inputs, mut spread) = (Vec::new(), Vec::new());
    // Inputs and what is fixed stay where they are.
    let in_cells = drafts.iter().flat_map(|draft| {
        let skip = usize::from(draft.act.is_fixed());
        draft.operands().skip(skip)
    });
    for value in in_cells.chain(values.outputs.iter().copied().filter(|&value| !values.is_fixed(value))) {
        let list = match values.source[value] {
            Source::Given(from) => (&mut inputs, from),
            Source::Fixed(number) => (&mut spread, number),
            _ => continue,
        };
        cell.entry(value).or_insert_with(|| {
            list.0.push((list.1, cells));
            cells += 1;
            cells - 1
        });
    }
    let mut moves = Vec::with_capacity(drafts.len());
    for (index, draft) in drafts.iter().enumerate() {
        let mut from = [0; 3];
        for (number, (at, operand)) in from.iter_mut().zip(draft.operands()).enumerate() {
            *at = match values.source[operand] {
                Source::Fixed(fixed) if number == 0 && draft.act.is_fixed() => fixed,
                _ => cell[&operand],
            };
        }
        let mut done: Vec<usize> = draft.operands().collect();
        done.dedup();
        for operand in done {
            let made = matches!(values.source[operand], Source::Made(..) | Source::Cosine);
            if made && last[&operand] == index && !free.contains(&cell[&operand]) {
                free.push(cell[&operand]);
            }
        }
        let mut take = |value: usize| {
            let at = free.pop().unwrap_or_else(|| {
                cells += 1;
                cells - 1
            });
            cell.insert(value, at);
            at
        };
        let to = draft.to.map_or(NOWHERE, &mut take);
        if let Some(also) = draft.also {
            from[2] = take(also);
        }
        // What nobody asks for gives its cell back at once.
        for value in draft.to.into_iter().chain(draft.also).filter(|value| !last.contains_key(value)) {
            free.push(cell[&value]);
        }
        moves.push(Move { act: draft.act, a: from[0], b: from[1], c: from[2], to });
    }
    let outputs = values.outputs.iter().map(|value| match values.source[*value] {
        Source::Fixed(number) => Place::Fixed(number),
        _ => Place::Cell(cell[value]),
    });
    Wide { outputs: outputs.collect(), moves, inputs, spread, cells: cells as usize }
}
