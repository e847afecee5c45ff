//! Expressions as text, in and out.

use holonom_language::{Model, from_text};
use holonom_symbols::algebra::{Budget, FunctionField, Ratio, measure};
use holonom_symbols::expr::{Graph, Id, Notation, Style, Symbol};

/// Parameters and coordinates that expressions may use, and the field they are read into.
pub(super) struct Bench {
    pub model: Model,
    pub field: FunctionField,
    header: String,
}

impl Bench {
    /// Parameters and coordinates by name.
    pub(super) fn new(parameters: &str, coordinates: &str) -> Self {
        let mut header = String::new();
        for name in parameters.split_whitespace() {
            header += &format!("param {name} = 1\n");
        }
        for name in coordinates.split_whitespace() {
            header += &format!("coord {name}\n");
        }
        let model = from_text("test.holo", &header).model.expect("a header without errors");
        Self { model, field: FunctionField::new(), header }
    }

    /// All parameters are positive.
    pub(super) fn positive(mut self) -> Self {
        for index in 0..self.model.parameters.len() {
            self.field.assume_positive(Symbol::Parameter(index as u32));
        }
        self
    }

    /// An expression of the language, in a graph that holds nothing else.
    pub(super) fn parsed(&self, text: &str) -> (Graph, Id) {
        let loaded = from_text("test.holo", &format!("{}output e: {text}\n", self.header));
        let problems: Vec<_> = loaded.errors().map(|error| error.message.clone()).collect();
        let model = loaded.model.unwrap_or_else(|| panic!("`{text}`: {problems:?}"));
        let id = model.outputs[0].components[0];
        (model.graph, id)
    }

    /// An expression of the language as an element of the field.
    pub(super) fn read(&mut self, text: &str) -> Ratio {
        let (graph, id) = self.parsed(text);
        self.field.read(&graph, id, &Budget::new(1 << 32)).expect("within the budget")
    }

    /// An element as text of the language, and how many nodes it has.
    pub(super) fn written(&mut self, ratio: &Ratio) -> (String, u64) {
        let mut graph = Graph::new();
        let id = self.field.write(&mut graph, ratio, &Budget::new(1 << 32)).expect("within the budget");
        (self.printed(&graph, id), measure(&graph, id))
    }

    pub(super) fn printed(&self, graph: &Graph, id: Id) -> String {
        let name = |symbol| match symbol {
            Symbol::Parameter(index) => self.model.parameters[index as usize].name.clone(),
            Symbol::Position(index) => self.model.coordinates[index as usize].name.clone(),
            Symbol::Velocity(index) => format!("{}'", self.model.coordinates[index as usize].name),
            Symbol::Time => "t".to_string(),
            other => format!("{other:?}"),
        };
        graph.print(id, &Style::new(Notation::Text, &name))
    }

    /// How many nodes an expression of the language has as it stands.
    pub(super) fn nodes(&self, text: &str) -> u64 {
        let (graph, id) = self.parsed(text);
        measure(&graph, id)
    }
}
