use super::*;

fn written(names: &[&str], rows: &[Vec<f64>]) -> Vec<u8> {
    let columns: Vec<_> = names.iter().map(|name| Column { name: (*name).to_string(), unit: None }).collect();
    let mut table = Box::new(Parquet::new(Vec::new(), &columns).unwrap());
    rows.iter().for_each(|row| table.row(row).unwrap());
    table.finish(&[("holonom".into(), "test".into())]).unwrap()
}
