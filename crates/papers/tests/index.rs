//! The guide's index of equations has every entry, in order, and says what the entry says.

use std::fs;

use holonom_papers::all;

#[test]
fn the_index_of_equations_is_complete() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/equations.md");
    let page = fs::read_to_string(page).expect("the page is read");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> = all().iter().map(|entry| format!("| `{}` | {} | ", entry.key(), entry.says)).collect();
    for (i, begin) in expected.iter().enumerate() {
        let row = rows.get(i).copied().unwrap_or_default();
        assert!(row.starts_with(begin.as_str()), "book/equations.md has\n{row}\nwhere this belongs\n{begin}");
    }
    assert_eq!(rows.len(), expected.len(), "book/equations.md has rows for what is in no paper");
}
