//! Text → a model: reading, names, units, families and parts.
//!
//! `lex` and `parse` turn text into a [`syntax::Document`] without resolving names; `elaborate` gives every name
//! its meaning, every family its members and every expression its dimension, and puts the result into one shared
//! graph. Mistakes become [`Diagnostic`]s; all of them are reported, not only the first.

mod answer;
mod builder;
mod checked;
mod codes;
mod compare;
mod compose;
mod diagnostic;
mod drawing;
mod elaborate;
mod format;
mod function_names;
mod json;
mod law;
mod lex;
mod load;
mod names;
mod parse;
#[cfg(test)]
mod random;
mod render;
mod source;
mod specified;
mod statement;
pub mod syntax;
pub mod units;
mod visit;

pub use answer::{Answer, Given};
pub use builder::{Built, ModelBuilder, Placement, Written};
pub use checked::{
    BodyShape, Constraint, Coordinate, Drift, Event, EventAction, Expectation, Expected, Family, FamilyKind, Force,
    ForceOn, Formulation, FreeDirection, Friction, FrictionLaw, FunctionSymbol, Joint, MassMatrix, Method, Model,
    NamedVector, Nonideal, OneSided, Output, Parameter, Particle, Rates, RigidBody, RunStatement, StartValue, Term,
    TypedUnit, When,
};
pub use codes::CODES;
pub use compare::same_meaning;
pub use diagnostic::{Diagnostic, Label, Severity, Suggestion};
pub use drawing::{COLORS, Color, Drawing, DrawnShape, Stroke};
pub use elaborate::{FileError, Files, NoFiles, elaborate};
pub use format::{format, print, print_expression};
pub use json::quote;
pub use json::{from_json, to_json};
pub use lex::{Token, TokenKind, tokens};
pub use load::{Folder, KeptFiles, LARGEST_FILE, Loaded, from_document, from_text, from_text_with, load, load_with};
pub use names::closest;
pub use parse::{parse, parse_expression, parse_statement, parse_target, parse_unit};
pub use render::{diagnostic_to_json, render, render_all, render_within};
pub use source::{FileId, Source, Sources, Span};
