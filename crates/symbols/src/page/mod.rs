//! A page of text, formulas and matrices, for a terminal, for Markdown, for print and for the web.
//!
//! A [`Page`] is built once and rendered for each medium: a terminal gets
//! fractions and roots in two dimensions, broken at its width; [`Page::latex`] is a document that compiles;
//! [`Page::html`] is one self-contained file.

mod blocks;
mod flow;
mod html;
mod inline;
mod latex;
mod layout;
mod markdown;
mod sheet;
mod style;
mod terminal;
mod tile;

pub use blocks::{Block, Equation, Page};
pub use inline::{Inline, Rich, Tone};
pub use sheet::{Layout, Sheet};
pub use style::{base64, style};

impl Page {
    /// For a terminal of `width` columns, fractions and roots in two dimensions; `colour` allows escape sequences.
    pub fn unicode(&self, width: usize, colour: bool) -> String {
        terminal::write(self, width.max(20), colour)
    }

    /// Markdown as GitHub has it, formulas as LaTeX between `$$`.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// What stands between the beginning and the end of the LaTeX document, to be put into another.
    pub fn latex_body(&self) -> String {
        latex::body(self)
    }

    /// The blocks as HTML with MathML, headings `down` levels lower, to be put into another page.
    pub fn html_body(&self, down: u8) -> String {
        html::body(self, down)
    }

    /// A complete LaTeX document for `pdflatex`; needs amsmath and amssymb.
    pub fn latex(&self) -> String {
        latex::write(self)
    }

    /// A complete HTML file with MathML, light or dark as the reader has it; asks for no other file.
    pub fn html(&self) -> String {
        html::write(self)
    }
}

#[cfg(test)]
mod tests;
