//! Tables 7 and 8.

use crate::model::o2k::month::Month;

/// Names of the rows of Table 7.
pub const LARGE_CLASSES: [&str; 5] = ["PT > avg", "T > 20 h", "P > 16*", "M > 4 GB*", "P > 16, M > 4 GB*"];

/// Names of the columns of Table 7.
pub const LARGE_COLUMNS: [&str; 7] = ["jobs", "PT %", "MT %", "mean P", "mean M", "mean T", "mean PT"];

/// Names of the columns of Table 8.
pub const LARGEST_COLUMNS: [&str; 6] = ["PT %", "MT %", "mean P", "mean M", "mean T", "mean PT"];

/// A month of Tables 7 and 8.
#[derive(Clone, Copy, Debug)]
pub struct LargeJobs {
    /// Which.
    pub month: Month,
    /// Mean processor hours of all jobs.
    pub mean_processor_hours: f64,
    /// Table 7.
    pub classes: [[f64; 7]; 5],
    /// Table 8.
    pub largest: [f64; 6],
}

/// The months that the tables cover.
pub const MONTHS: [LargeJobs; 6] = [
    LargeJobs {
        month: Month::Jan2000,
        mean_processor_hours: 65.0,
        classes: [
            [1_216.0, 89.8, 83.7, 15.0, 2.3, 49.0, 465.0],
            [916.0, 77.9, 82.0, 7.3, 1.9, 67.3, 536.0],
            [493.0, 27.2, 9.4, 36.7, 3.0, 9.5, 347.0],
            [302.0, 16.2, 46.8, 14.9, 10.5, 26.9, 337.0],
            [72.0, 5.8, 5.4, 39.6, 10.5, 11.9, 505.0],
        ],
        largest: [17.1, 15.7, 27.7, 6.1, 311.0, 7_173.0],
    },
    LargeJobs {
        month: Month::Feb2000,
        mean_processor_hours: 57.0,
        classes: [
            [1_595.0, 89.3, 82.3, 18.4, 2.2, 35.5, 359.0],
            [1_062.0, 71.0, 82.0, 6.9, 1.8, 59.7, 428.0],
            [617.0, 35.6, 14.5, 38.6, 3.0, 8.6, 369.0],
            [287.0, 25.2, 45.2, 23.3, 10.4, 25.9, 562.0],
            [112.0, 18.1, 11.7, 49.3, 10.6, 18.9, 1_035.0],
        ],
        largest: [16.5, 17.2, 36.1, 7.7, 254.5, 7_031.0],
    },
    LargeJobs {
        month: Month::Mar2000,
        mean_processor_hours: 55.0,
        classes: [
            [1_670.0, 88.1, 82.4, 15.2, 2.8, 41.0, 353.0],
            [1_189.0, 71.6, 75.9, 6.3, 1.9, 62.4, 403.0],
            [542.0, 30.9, 20.5, 39.7, 4.8, 10.0, 381.0],
            [600.0, 27.1, 45.7, 16.3, 10.6, 14.4, 302.0],
            [167.0, 20.3, 18.1, 43.9, 12.0, 18.1, 813.0],
        ],
        largest: [15.6, 11.0, 36.1, 6.6, 209.5, 6_944.0],
    },
    LargeJobs {
        month: Month::Oct2000,
        mean_processor_hours: 66.0,
        classes: [
            [1_793.0, 89.3, 79.0, 15.2, 2.3, 42.5, 319.0],
            [1_312.0, 71.3, 80.9, 6.7, 1.9, 59.6, 348.0],
            [695.0, 35.7, 9.7, 42.2, 4.7, 8.5, 329.0],
            [653.0, 15.8, 51.5, 22.0, 10.1, 15.0, 154.0],
            [265.0, 10.7, 7.0, 47.0, 9.8, 6.1, 258.0],
        ],
        largest: [9.1, 3.4, 41.7, 3.8, 102.9, 3_888.0],
    },
    LargeJobs {
        month: Month::Nov2000,
        mean_processor_hours: 72.0,
        classes: [
            [1_495.0, 89.4, 83.3, 19.4, 2.6, 35.5, 376.0],
            [1_065.0, 70.7, 79.6, 8.0, 1.6, 53.1, 418.0],
            [767.0, 40.7, 21.7, 42.1, 4.9, 9.2, 333.0],
            [502.0, 20.9, 53.7, 27.5, 9.4, 16.8, 261.0],
            [246.0, 14.4, 17.1, 46.8, 12.0, 8.6, 367.0],
        ],
        largest: [11.1, 9.2, 39.8, 5.1, 168.4, 4_657.0],
    },
    LargeJobs {
        month: Month::Dec2000,
        mean_processor_hours: 93.0,
        classes: [
            [1_188.0, 87.8, 76.0, 14.6, 1.9, 63.7, 537.0],
            [1_293.0, 82.2, 87.7, 6.5, 1.5, 69.5, 462.0],
            [455.0, 36.1, 21.2, 39.2, 4.2, 16.8, 577.0],
            [310.0, 15.9, 36.1, 23.2, 9.5, 19.4, 372.0],
            [97.0, 11.8, 15.9, 53.0, 14.4, 16.6, 882.0],
        ],
        largest: [16.6, 13.3, 40.5, 8.0, 222.0, 8_044.0],
    },
];
