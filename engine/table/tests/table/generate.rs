//! Random tables.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::sync::Arc;
use table::{CellType, Cells, Column, Frame};

/// Any cell type.
pub fn cell_type() -> impl Strategy<Value = CellType> {
    prop_oneof![Just(CellType::Text), Just(CellType::Real), Just(CellType::Int), Just(CellType::Flag)]
}

/// Cells of a type, from few distinct values, some of them awkward, so that values repeat.
pub fn cells(cell_type: CellType, rows: usize) -> BoxedStrategy<Cells> {
    let text = prop_oneof![
        Just(Arc::from("")),
        Just(Arc::from("Contiguous(relax: 1)")),
        Just(Arc::from("τ → ∞, \"quoted\"\n")),
        "[a-c]{1,2}".prop_map(|text| Arc::from(text.as_str())),
    ];
    let real = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(0.3),
        Just(f64::MIN_POSITIVE / 2.0),
        Just(f64::MAX),
        Just(f64::NAN),
        -3.0..3.0_f64,
    ];
    let int = prop_oneof![Just(i64::MIN), Just(i64::MAX), -3..3_i64];
    match cell_type {
        CellType::Text => vec(option::of(text), rows).prop_map(Cells::Text).boxed(),
        CellType::Real => vec(option::of(real), rows).prop_map(Cells::Real).boxed(),
        CellType::Int => vec(option::of(int), rows).prop_map(Cells::Int).boxed(),
        CellType::Flag => vec(option::of(any::<bool>()), rows).prop_map(Cells::Flag).boxed(),
    }
}

/// A table with the columns `c0`, `c1`, … of these types.
pub fn frame_of(types: Vec<CellType>, rows: usize) -> impl Strategy<Value = Frame> {
    let columns: Vec<_> = types.into_iter().map(|cell_type| cells(cell_type, rows)).collect();
    columns.prop_map(|columns| {
        let named = columns.into_iter().enumerate();
        let named = named.map(|(index, cells)| Column { name: format!("c{index}"), cells }).collect();
        Frame::from_columns(named).unwrap()
    })
}

/// A table of one to five columns and up to 40 rows, with metadata.
pub fn frame() -> impl Strategy<Value = Frame> {
    let shape = (vec(cell_type(), 1..=5), 0..40_usize);
    let metadata = proptest::collection::btree_map("[a-z]{1,6}", "[^\0]{0,8}", 0..3);
    (shape.prop_flat_map(|(types, rows)| frame_of(types, rows)), metadata).prop_map(
        |(mut frame, metadata)| {
            frame.metadata = metadata;
            frame
        },
    )
}
