//! Machine code: the steps of a program, translated one by one by Cranelift.
//!
//! The code does the same operations in the same order as the interpreter and calls the same elementary functions, so both
//! give the same bits. A long program becomes several functions that pass values on through the memory: the time to
//! allocate registers grows faster than a function does. Where the host is not supported, or code cannot be made for
//! another reason, there is no machine code and programs are interpreted.
#![allow(unsafe_code)] // The one module where machine code is made and called; each block says why it is sound.

use super::code::Op;
use super::layout::ProgramLayout;
use super::tape::Step;
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, SigRef, Signature, UserFuncName, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use holonom_elementary as elementary;
use holonom_symbols::expr::{FastMap, Function, Table};
use std::fmt;
use std::sync::Arc;

/// How many steps one function holds; few in tests, so that values pass from function to function.
const CHUNK: usize = if cfg!(test) { 40 } else { 1500 };

type Entry = unsafe extern "C" fn(*mut f64);

/// The machine code of a program.
pub(crate) struct Native {
    /// Owns the code; taken only when dropped.
    module: Option<JITModule>,
    functions: Vec<Entry>,
    /// How many numbers of memory the code reaches.
    size: usize,
    /// The code holds their addresses.
    _tables: Arc<[Arc<Table>]>,
}

// SAFETY: after it is made nothing of it changes. The code itself keeps no state outside of the memory it is called with.
unsafe impl Sync for Native {}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Native({} functions)", self.functions.len())
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        self.functions.clear();
        if let Some(module) = self.module.take() {
            // SAFETY: the addresses of the functions never leave `Native`, and `run` borrows it while they execute.
            unsafe { module.free_memory() };
        }
    }
}

impl Native {
    /// The machine code of a program; nothing where it cannot be made.
    pub fn new(program: &ProgramLayout) -> Option<Self> {
        // Places are addressed by offsets of 32 bits.
        i32::try_from(program.memory_size().checked_mul(8)?).ok()?;
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "none"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        match translate(program, &mut module) {
            Some(functions) => Some(Self {
                module: Some(module),
                functions,
                size: program.memory_size(),
                _tables: program.tables.clone(),
            }),
            None => {
                // SAFETY: none of its functions was ever called.
                unsafe { module.free_memory() };
                None
            }
        }
    }

    /// Does the steps of the program, copies of outputs included.
    pub fn run(&self, memory: &mut [f64]) {
        assert_eq!(memory.len(), self.size, "the memory is another program's");
        for function in &self.functions {
            // SAFETY: the code reads and writes places of the program's memory only, which has the length that was just
            // checked, and returns. The addresses of tables that it passes on are kept alive by `_tables`.
            unsafe { function(memory.as_mut_ptr()) };
        }
    }
}

fn translate(program: &ProgramLayout, module: &mut JITModule) -> Option<Vec<Entry>> {
    let escapes = escaping(program);
    let mut copies: FastMap<u32, Vec<u32>> = FastMap::default();
    for &(from, to) in &program.copies {
        copies.entry(from).or_default().push(to);
    }
    let mut builder_context = FunctionBuilderContext::new();
    let mut context = module.make_context();
    let mut ids: Vec<FuncId> = Vec::new();
    let chunks = program.steps.len().div_ceil(CHUNK).max(1);
    for chunk in 0..chunks {
        let range = chunk * CHUNK..program.steps.len().min((chunk + 1) * CHUNK);
        let pointer = module.target_config().pointer_type();
        context.func.signature.params.push(AbiParam::new(pointer));
        let id = module.declare_anonymous_function(&context.func.signature).ok()?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let config = module.target_config();
        let mut writer =
            Writer::new(program, &mut context, &mut builder_context, Signature::new(config.default_call_conv));
        for index in range {
            writer.step(&program.steps[index], escapes[index], &copies)?;
        }
        if chunk + 1 == chunks {
            writer.copy_inputs()?;
        }
        writer.builder.ins().return_(&[]);
        writer.builder.seal_all_blocks();
        writer.builder.finalize(config);
        module.define_function(id, &mut context).ok()?;
        module.clear_context(&mut context);
        ids.push(id);
    }
    module.finalize_definitions().ok()?;
    let entry = |id: FuncId| {
        let address = module.get_finalized_function(id);
        // SAFETY: the function was defined with this signature, by the C convention of the host, and is final.
        unsafe { std::mem::transmute::<*const u8, Entry>(address) }
    };
    Some(ids.into_iter().map(entry).collect())
}

/// Which results are needed in the memory: outputs, and what a later function reads.
fn escaping(program: &ProgramLayout) -> Vec<bool> {
    let mut made: Vec<usize> = vec![usize::MAX; program.memory_size()];
    let outputs = program.memory_size() - program.output_count();
    let mut escapes = vec![false; program.steps.len()];
    for (index, step) in program.steps.iter().enumerate() {
        for &from in &step.from[..step.op.arity()] {
            let maker = made[from as usize];
            if maker != usize::MAX && maker / CHUNK != index / CHUNK {
                escapes[maker] = true;
            }
        }
        made[step.to as usize] = index;
        made[step.also as usize] = index;
        escapes[index] |= step.to as usize >= outputs;
    }
    escapes
}

/// Writes one function.
struct Writer<'a> {
    program: &'a ProgramLayout,
    builder: FunctionBuilder<'a>,
    memory: Value,
    /// Values in registers, by place. What is not here is in the memory.
    held: FastMap<u32, Value>,
    convention: Signature,
    signatures: FastMap<(usize, usize, bool), SigRef>,
}

impl<'a> Writer<'a> {
    fn new(
        program: &'a ProgramLayout,
        context: &'a mut Context,
        builder_context: &'a mut FunctionBuilderContext,
        convention: Signature,
    ) -> Self {
        let mut builder = FunctionBuilder::new(&mut context.func, builder_context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let memory = builder.block_params(block)[0];
        Self { program, builder, memory, held: FastMap::default(), convention, signatures: FastMap::default() }
    }

    fn offset(place: u32) -> Option<i32> {
        i32::try_from(u64::from(place) * 8).ok()
    }

    /// A value, from a register or from the memory. Inputs and what is fixed are loaded at each use: that is an operand of
    /// the operation itself and takes no register.
    fn value(&mut self, place: u32) -> Option<Value> {
        match self.held.get(&place) {
            Some(&value) => Some(value),
            None => {
                let offset = Self::offset(place)?;
                Some(self.builder.ins().load(types::F64, MemFlagsData::trusted(), self.memory, offset))
            }
        }
    }

    fn store(&mut self, value: Value, place: u32) -> Option<()> {
        let offset = Self::offset(place)?;
        self.builder.ins().store(MemFlagsData::trusted(), value, self.memory, offset);
        Some(())
    }

    fn step(&mut self, step: &Step, escapes: bool, copies: &FastMap<u32, Vec<u32>>) -> Option<()> {
        if step.op == Op::SineCosine {
            let x = self.value(step.from[0])?;
            let pointer = self.builder.func.dfg.value_type(self.memory);
            let [sine, cosine] = [step.to, step.also].map(Self::offset);
            let (sine, cosine) = (i64::from(sine?), i64::from(cosine?));
            let sine = self.builder.ins().iadd_imm_s(self.memory, sine);
            let cosine = self.builder.ins().iadd_imm_s(self.memory, cosine);
            let signature = self.signature(1, 2, false);
            let callee = self.builder.ins().iconst(pointer, both as *const () as i64);
            self.builder.ins().call_indirect(signature, callee, &[x, sine, cosine]);
            for place in [step.to, step.also] {
                self.held.remove(&place);
                for &to in copies.get(&place).into_iter().flatten() {
                    let value = self.value(place)?;
                    self.store(value, to)?;
                }
            }
            return Some(());
        }
        let value = self.operation(step)?;
        self.held.insert(step.to, value);
        if escapes {
            self.store(value, step.to)?;
            for &to in copies.get(&step.to).into_iter().flatten() {
                self.store(value, to)?;
            }
        }
        Some(())
    }

    fn operation(&mut self, step: &Step) -> Option<Value> {
        let [first, second, third] = step.from;
        let a = self.value(first)?;
        let b = match step.op.arity() {
            1 => a,
            _ if second == first => a,
            _ => self.value(second)?,
        };
        let ins = self.builder.ins();
        Some(match step.op {
            Op::Add => ins.fadd(a, b),
            Op::Subtract => ins.fsub(a, b),
            Op::Multiply => ins.fmul(a, b),
            Op::Divide => ins.fdiv(a, b),
            Op::Negate => ins.fneg(a),
            Op::Call(Function::Sqrt) => ins.sqrt(a),
            Op::Call(Function::Abs) => ins.fabs(a),
            Op::Call(function) => self.call(function.compiled() as *const () as usize, &[a])?,
            Op::Call2(Function::Min) => self.choose(FloatCC::LessThanOrEqual, a, b, a, b),
            Op::Call2(Function::Max) => self.choose(FloatCC::GreaterThanOrEqual, a, b, a, b),
            Op::Call2(_) => self.call(atan2 as *const () as usize, &[a, b])?,
            Op::Power => self.call(power as *const () as usize, &[a, b])?,
            Op::Table { table, order } => {
                let pointer = self.builder.func.dfg.value_type(self.memory);
                let address = Arc::as_ptr(self.program.tables.get(table as usize)?);
                let address = self.builder.ins().iconst(pointer, address as i64);
                let order = self.builder.ins().iconst(pointer, i64::from(order));
                let signature = self.signature(1, 2, true);
                let callee = self.builder.ins().iconst(pointer, table_value as *const () as i64);
                let call = self.builder.ins().call_indirect(signature, callee, &[a, address, order]);
                self.builder.inst_results(call).first().copied()?
            }
            Op::Less => self.truth(FloatCC::LessThan, a, b),
            Op::LessEqual => self.truth(FloatCC::LessThanOrEqual, a, b),
            Op::Not => {
                let zero = self.builder.ins().f64const(0.0);
                self.truth(FloatCC::Equal, a, zero)
            }
            Op::And | Op::Or => {
                let zero = self.builder.ins().f64const(0.0);
                let a = self.builder.ins().fcmp(FloatCC::NotEqual, a, zero);
                let b = self.builder.ins().fcmp(FloatCC::NotEqual, b, zero);
                let holds = match step.op {
                    Op::And => self.builder.ins().band(a, b),
                    _ => self.builder.ins().bor(a, b),
                };
                let one = self.builder.ins().f64const(1.0);
                self.builder.ins().select(holds, one, zero)
            }
            Op::Select => {
                let c = self.value(third)?;
                let zero = self.builder.ins().f64const(0.0);
                self.choose(FloatCC::NotEqual, a, zero, b, c)
            }
            Op::SineCosine | Op::Cosine => return None,
        })
    }

    fn choose(&mut self, condition: FloatCC, a: Value, b: Value, then: Value, otherwise: Value) -> Value {
        let holds = self.builder.ins().fcmp(condition, a, b);
        self.builder.ins().select(holds, then, otherwise)
    }

    fn truth(&mut self, condition: FloatCC, a: Value, b: Value) -> Value {
        let one = self.builder.ins().f64const(1.0);
        let zero = self.builder.ins().f64const(0.0);
        self.choose(condition, a, b, one, zero)
    }

    /// The signature of a function of some numbers and then some pointers.
    fn signature(&mut self, numbers: usize, pointers: usize, returns: bool) -> SigRef {
        let pointer = self.builder.func.dfg.value_type(self.memory);
        let (convention, builder) = (&self.convention, &mut self.builder);
        *self.signatures.entry((numbers, pointers, returns)).or_insert_with(|| {
            let mut signature = convention.clone();
            signature.params.extend((0..numbers).map(|_| AbiParam::new(types::F64)));
            signature.params.extend((0..pointers).map(|_| AbiParam::new(pointer)));
            if returns {
                signature.returns.push(AbiParam::new(types::F64));
            }
            builder.import_signature(signature)
        })
    }

    fn call(&mut self, address: usize, arguments: &[Value]) -> Option<Value> {
        let signature = self.signature(arguments.len(), 0, true);
        let pointer = self.builder.func.dfg.value_type(self.memory);
        let callee = self.builder.ins().iconst(pointer, address as i64);
        let call = self.builder.ins().call_indirect(signature, callee, arguments);
        self.builder.inst_results(call).first().copied()
    }

    /// Outputs that are inputs as they came.
    fn copy_inputs(&mut self) -> Option<()> {
        for &(from, to) in &self.program.copies {
            if from < self.program.input_count() {
                let value = self.value(from)?;
                self.store(value, to)?;
            }
        }
        Some(())
    }
}

extern "C" fn both(x: f64, to_sine: *mut f64, to_cosine: *mut f64) {
    let (sine, cosine) = elementary::sin_cos(x);
    // SAFETY: called by the code above only, with two places of the memory that it was called with. They may be the same.
    unsafe {
        *to_cosine = cosine;
        *to_sine = sine;
    }
}

extern "C" fn atan2(y: f64, x: f64) -> f64 {
    Function::Atan2.value(y, x)
}

extern "C" fn power(base: f64, exponent: f64) -> f64 {
    elementary::powf(base, exponent)
}

extern "C" fn table_value(x: f64, table: &Table, order: usize) -> f64 {
    table.value(x, order as u8)
}
