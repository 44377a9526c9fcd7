//! The twelve job classes of NCSA-LSF* (Tables 3 and 4), by which Table 6 counts.

/// Names of the classes of requested time: at most 5, 50, 200 and 400 hours.
pub const TIME_CLASSES: [&str; 4] = ["vst", "st", "mt", "lt"];

/// Names of the classes of size: at most 8 processors and 2 GB, 16 and 4, and the rest.
pub const SIZE_CLASSES: [&str; 3] = ["sj", "mj", "lj"];

/// Number of classes.
pub const CLASSES: usize = TIME_CLASSES.len() * SIZE_CLASSES.len();

/// Upper bounds of the first three classes of requested time, in seconds.
const TIME_BOUNDS_S: [u32; 3] = [5 * 3_600, 50 * 3_600, 200 * 3_600];

/// The class of a requested time, as an index into [`TIME_CLASSES`].
pub fn time_class(requested_s: u32) -> usize {
    TIME_BOUNDS_S.partition_point(|bound| *bound < requested_s)
}

/// The class of a size, as an index into [`SIZE_CLASSES`].
pub fn size_class(processors: u32, memory_mb: u32) -> usize {
    match (processors, memory_mb) {
        (..=8, ..=2_048) => 0,
        (..=16, ..=4_096) => 1,
        _ => 2,
    }
}

/// The column of Table 6: vst_sj, st_sj, mt_sj, lt_sj, vst_mj, …
pub const fn column(time_class: usize, size_class: usize) -> usize {
    size_class * TIME_CLASSES.len() + time_class
}

/// The classes of time and size of a column.
pub const fn of_column(column: usize) -> (usize, usize) {
    (column % TIME_CLASSES.len(), column / TIME_CLASSES.len())
}

/// The heading of a column.
pub fn name(column: usize) -> String {
    let (time, size) = of_column(column);
    format!("{}_{}", TIME_CLASSES[time], SIZE_CLASSES[size])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_belong_to_the_smaller_class() {
        let hours = |hours: u32| time_class(hours * 3_600);
        assert_eq!([5, 50, 200, 400].map(hours), [0, 1, 2, 3]);
        assert_eq!([6, 51, 201].map(hours), [1, 2, 3]);
        assert_eq!(
            [(8, 2_048), (8, 2_049), (9, 1), (16, 4_096), (17, 1), (1, 4_097)].map(|(p, m)| size_class(p, m)),
            [0, 1, 1, 1, 2, 2]
        );
    }

    #[test]
    fn columns_are_in_the_order_of_the_table() {
        let names: Vec<String> = (0..CLASSES).map(name).collect();
        assert_eq!((&*names[0], &*names[5], &*names[11]), ("vst_sj", "st_mj", "lt_lj"));
        assert!((0..CLASSES).all(|at| column(of_column(at).0, of_column(at).1) == at));
    }
}
