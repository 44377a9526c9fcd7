//! Table 6: what each month's log held, by job class.

use super::class::CLASSES;
use super::month::Month;

/// A month of Table 6. Demands are shares of the processors' and the memory's time, in percent as printed.
#[derive(Clone, Copy, Debug)]
pub struct Submitted {
    /// Jobs of all classes.
    pub jobs: u32,
    /// P · T of all classes.
    pub processor_demand: f64,
    /// M · T of all classes.
    pub memory_demand: f64,
    /// By class: jobs, P · T and M · T.
    pub classes: [(u32, f64, f64); CLASSES],
}

/// Processors of the space-shared hosts.
pub const PROCESSORS: f64 = super::O2K_PROCESSORS as f64;

/// Gigabytes of the eight space-shared hosts (Table 1).
pub const GIGABYTES: f64 = 336.0;

const fn month(all: (u32, f64, f64), classes: [(u32, f64, f64); CLASSES]) -> Submitted {
    Submitted { jobs: all.0, processor_demand: all.1, memory_demand: all.2, classes }
}

/// The month's part of the table.
pub fn of(wanted: Month) -> &'static Submitted {
    &TABLE_6[wanted as usize]
}

/// Table 6, in the order of [`Month::ALL`]; classes in the order of the table's columns.
const TABLE_6: [Submitted; 9] = [
    // Oct 1999
    month(
        (13_562, 86.0, 58.0),
        [
            (5_186, 2.0, 1.0),
            (2_190, 9.0, 4.0),
            (2_226, 14.0, 8.0),
            (118, 3.0, 3.0),
            (1_483, 3.0, 2.0),
            (750, 8.0, 4.0),
            (145, 8.0, 7.0),
            (27, 1.0, 5.0),
            (1_067, 9.0, 2.0),
            (244, 13.0, 4.0),
            (74, 11.0, 11.0),
            (52, 4.0, 8.0),
        ],
    ),
    // Nov 1999
    month(
        (10_916, 91.0, 57.0),
        [
            (3_884, 2.0, 1.0),
            (2_231, 9.0, 6.0),
            (510, 7.0, 6.0),
            (141, 2.0, 2.0),
            (1_312, 3.0, 1.0),
            (722, 14.0, 5.0),
            (212, 10.0, 10.0),
            (40, 3.0, 5.0),
            (1_404, 7.0, 2.0),
            (345, 16.0, 8.0),
            (94, 15.0, 7.0),
            (21, 3.0, 5.0),
        ],
    ),
    // Dec 1999
    month(
        (8_778, 95.0, 74.0),
        [
            (3_223, 1.0, 1.0),
            (2_081, 8.0, 5.0),
            (557, 10.0, 7.0),
            (114, 4.0, 3.0),
            (732, 1.0, 0.0),
            (575, 13.0, 5.0),
            (189, 17.0, 11.0),
            (28, 4.0, 4.0),
            (840, 4.0, 1.0),
            (276, 10.0, 10.0),
            (134, 15.0, 14.0),
            (29, 9.0, 11.0),
        ],
    ),
    // Jan 2000
    month(
        (9_652, 88.0, 76.0),
        [
            (3_622, 2.0, 1.0),
            (2_606, 9.0, 6.0),
            (553, 11.0, 7.0),
            (71, 3.0, 3.0),
            (950, 2.0, 1.0),
            (589, 9.0, 5.0),
            (163, 13.0, 10.0),
            (61, 6.0, 6.0),
            (671, 4.0, 1.0),
            (252, 8.0, 11.0),
            (91, 12.0, 10.0),
            (23, 10.0, 17.0),
        ],
    ),
    // Feb 2000
    month(
        (11_290, 96.0, 78.0),
        [
            (5_296, 2.0, 1.0),
            (2_269, 9.0, 7.0),
            (466, 11.0, 7.0),
            (71, 3.0, 3.0),
            (1_128, 3.0, 2.0),
            (698, 10.0, 5.0),
            (219, 13.0, 11.0),
            (33, 3.0, 5.0),
            (686, 6.0, 1.0),
            (314, 18.0, 10.0),
            (90, 12.0, 12.0),
            (20, 5.0, 15.0),
        ],
    ),
    // Mar 2000
    month(
        (12_101, 94.0, 83.0),
        [
            (4_671, 2.0, 1.0),
            (2_678, 11.0, 7.0),
            (472, 9.0, 6.0),
            (57, 3.0, 3.0),
            (1_808, 4.0, 2.0),
            (631, 11.0, 7.0),
            (216, 15.0, 9.0),
            (70, 4.0, 8.0),
            (850, 4.0, 2.0),
            (500, 14.0, 16.0),
            (123, 14.0, 18.0),
            (25, 3.0, 4.0),
        ],
    ),
    // Oct 2000
    month(
        (9_768, 90.0, 84.0),
        [
            (3_012, 1.0, 1.0),
            (2_488, 11.0, 6.0),
            (580, 9.0, 7.0),
            (278, 7.0, 9.0),
            (881, 2.0, 1.0),
            (627, 10.0, 6.0),
            (241, 11.0, 6.0),
            (50, 2.0, 2.0),
            (957, 5.0, 2.0),
            (367, 14.0, 6.0),
            (209, 13.0, 18.0),
            (78, 4.0, 20.0),
        ],
    ),
    // Nov 2000
    month(
        (8_708, 91.0, 63.0),
        [
            (2_982, 2.0, 1.0),
            (2_279, 10.0, 5.0),
            (416, 8.0, 5.0),
            (60, 3.0, 2.0),
            (711, 2.0, 1.0),
            (497, 9.0, 5.0),
            (187, 12.0, 6.0),
            (16, 3.0, 1.0),
            (912, 6.0, 2.0),
            (513, 20.0, 10.0),
            (110, 13.0, 11.0),
            (25, 3.0, 14.0),
        ],
    ),
    // Dec 2000
    month(
        (7_798, 102.0, 68.0),
        [
            (2_581, 2.0, 1.0),
            (2_190, 11.0, 6.0),
            (565, 10.0, 8.0),
            (164, 9.0, 5.0),
            (801, 2.0, 1.0),
            (252, 5.0, 2.0),
            (215, 18.0, 10.0),
            (59, 4.0, 6.0),
            (667, 6.0, 2.0),
            (176, 11.0, 4.0),
            (113, 13.0, 13.0),
            (15, 12.0, 9.0),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up_to_their_month() {
        for month in Month::ALL {
            let table = of(month);
            assert_eq!(table.classes.iter().map(|class| class.0).sum::<u32>(), table.jobs, "{month}");
            // Each of the thirteen percentages is rounded.
            let processors: f64 = table.classes.iter().map(|class| class.1).sum();
            let memory: f64 = table.classes.iter().map(|class| class.2).sum();
            assert!((processors - table.processor_demand).abs() <= 2.0, "{month}");
            assert!((memory - table.memory_demand).abs() <= 2.0, "{month}");
        }
    }
}
