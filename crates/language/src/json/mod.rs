//! The model as JSON: the same statements as data, with expressions as strings in the language.
//!
//! ```json
//! {
//!   "holonom": 1,
//!   "statements": [
//!     {"title": "Block on a rough incline"},
//!     {"param": [{"name": "m", "value": "2 kg"}, {"name": "g", "value": "9.81 m/s^2"}]},
//!     {"coord": [{"name": "x", "unit": "m"}, {"name": "y", "unit": "m"}]},
//!     {"particle": [{"name": "block", "mass": "m", "at": "(x, y)"}]},
//!     {"gravity": "(0, -g)"},
//!     {"constraint": {"name": "plane", "equation": "y = x*tan(30 deg)"}},
//!     {"friction": {"constraint": "plane", "law": "coulomb(0.2)"}},
//!     {"start": [{"name": "x", "value": "0 m"}, {"name": "x'", "value": "4 m/s"}]},
//!     {"run": {"until": "3 s", "every": "0.01 s"}}
//!   ]
//! }
//! ```
//!
//! | statement | its value |
//! |---|---|
//! | `title` | a string |
//! | `param`, `let` | a list of `name`, `value`; `let` also `arguments` |
//! | `coord` | a list of `name`, `unit` |
//! | `table` | a list of `name`, `path`, `options` |
//! | `function` | a list of `name`, `arguments` (a list), `unit` |
//! | `kinetic`, `potential`, `lagrangian`, `dissipation` | a list of strings |
//! | `gravity`, `mass` | a string |
//! | `particle` | a list of `name`, `mass`, and `at` (a point) or `in` (`plane` or `space`) |
//! | `body` | `name`, `shape`, `of` (its mass), `options` such as `inertia`, and a placement |
//! | `frame` | `name`, `on` (a body), and a placement |
//! | `joint` | `name`, `kind`, `ends` (a list), `at`, `from` and `to`, `axis` (one or a list of two), `options`, `off`, `cut` |
//! | `drive` | `name`, `value` (what is driven), `motion`, `off` |
//! | `spring`, `damper` | `name`, `value` (what it acts on), `options` |
//! | `force`, `torque` | a list of `on`, `value` |
//! | `formulation` | a string |
//! | `constraint`, `connect` | `name`, `equation`, `restitution`, `off` |
//! | `stop` | `name`, `value`, `low`, `high`, `restitution`, `off` |
//! | `nonideal` | `constraint`, `on`, `value` |
//! | `friction` | `constraint`, `law`, `options` |
//! | `hidden` | `"find"` |
//! | `free` | `"zero"`, or a list of `name`, `value` |
//! | `start` | a list of `name`, and `value` or `guess` |
//! | `assemble` | `true` |
//! | `run` | `until`, `every`, `at`, and settings such as `method`, in this order or another |
//! | `output` | a list of `name`, `value` |
//! | `event` | `name`, `when`, `then` (a list of actions) |
//! | `expect` | a list of `name`, `at_start`, `claim` or `constant`, `within` |
//! | `draw` | `for`, `shape`, `arguments`, `options` |
//! | `part` | `name`, `path` or `statements`, `with` (a list of `name`, `value`), and a placement |
//!
//! A placement is any of `at`, `from` with `to`, `up`, `turned` (a list of `axis`, `by`) and `axes` (a list of two).
//! Names are names as statements declare them, with their families: `"x[i in 1..N]"`. A JSON number may
//! replace any expression. A list of one item may be written as that item; `options` and `run` may be lists of objects,
//! so that a key can occur twice, and a setting with the name of an item of `run` goes into an object `settings` of its
//! own. Comments are not part of the meaning and are not kept.

pub(crate) mod object;
pub(crate) mod placement;
mod places;
mod read;
pub(crate) mod reader;
pub(crate) mod value;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;

pub use read::from_json;
pub use value::quote;
pub use write::to_json;

/// Whether a file of this name holds the JSON form of a model.
pub(super) fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}
