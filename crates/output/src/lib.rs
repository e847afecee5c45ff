//! A run → files: tables of numbers and a summary, complete or absent.
//!
//! [`Results`] is the folder of a run. Its tables are written as the run goes on, in memory that does not grow with its
//! length, and become visible in the folder only when all of them are complete. After a full disk or a killed
//! program the folder is as it was before.
//!
//! ```
//! use holonom_simulate::integrate::Column;
//! use holonom_output::Results;
//!
//! # let folder = std::env::temp_dir().join(format!("holonom-doc-{}", std::process::id()));
//! let columns = ["t", "x"].map(|name| Column { name: name.into(), unit: None });
//! let mut results = Results::new(&folder, &columns, &[])?;
//! results.row(&[0.0, 1.0])?;
//! results.row(&[0.1, 0.995])?;
//! let files = results.publish(&[], &[], |_| "{}".into())?;
//! assert_eq!(files[1].name, "trajectory.csv");
//! assert_eq!(std::fs::read_to_string(folder.join("trajectory.csv"))?, "t,x\n0.0,1.0\n0.1,0.995\n");
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod error;
pub mod json;
mod parquet;
mod results;
mod summary;
mod table;
mod whole;

pub use csv::Csv;
pub use error::{WriteError, reason};
pub use parquet::Parquet;
pub use results::put;
pub use results::{Results, SUMMARY, WrittenFile};
pub use summary::{About, Summary};
pub use table::{Cell, ColumnKind, TableWriter};
pub use whole::Draft;
