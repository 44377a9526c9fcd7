//! The twin of CTC-SP2-1996-3.1-cln: the batch partition of 338 processors; two jobs in five are serial.

use super::model::{BatchClass, EstimateClass, Gaps, SizeShare, Submission, TwinModel, WeekVariation};

/// Fitted to CTC-SP2-1996-3.1-cln (77,205 usable jobs of 77,222 records).
pub const MODEL: TwinModel = TwinModel {
    name: "CTC-SP2-1996-3.1-cln",
    nodes: 338,
    jobs: 77_205,
    span_s: 29_299_062,
    offered_load: 0.8416,
    batches: BATCHES,
    estimates: ESTIMATES,
    hours: [
        1.58, 1.32, 1.00, 0.85, 0.92, 0.92, 0.85, 0.66, 0.51, 0.37, 0.25, 0.23, 0.23, 0.19, 0.31, 0.57, 1.06,
        1.56, 1.93, 1.78, 1.67, 1.82, 1.75, 1.65,
    ],
    days: [1.19, 1.15, 0.69, 0.57, 1.11, 1.19, 1.10],
    weeks: WeekVariation { sigma: 0.04, carry_over: 0.00 },
    submission: Submission::AsDemanded,
    flurries: &[],
    memory: None,
};

const GAPS_OF_FEW: Gaps = Gaps { gaps_s: [0, 5, 28, 182, 743, 1_814, 2_933, 3_600], likeness: 0.60 };

const GAPS_OF_MANY: Gaps = Gaps { gaps_s: [0, 1, 2, 17, 176, 665, 1_806, 3_597], likeness: 0.63 };

const BATCHES: &[BatchClass] = &[
    BatchClass {
        label: "serial, below 10 jobs",
        batches: 11_196,
        sizes: &[SizeShare { size: 1, jobs: 23_123 }],
        lengths: [1.00, 1.00, 1.00, 2.00, 3.00, 3.75, 5.62, 6.56, 8.44],
        run_times_s: [
            1, 42, 45, 53, 176, 800, 2_742, 6_137, 11_217, 20_862, 36_036, 53_211, 64_610, 66_096, 66_096,
            66_096,
        ],
        likeness: 0.84,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "serial, 10 jobs or more",
        batches: 480,
        sizes: &[SizeShare { size: 1, jobs: 9_273 }],
        lengths: [10.00, 10.00, 12.00, 14.00, 20.00, 25.12, 34.65, 76.22, 392.35],
        run_times_s: [
            1, 40, 42, 46, 58, 341, 2_076, 2_550, 10_577, 17_700, 29_222, 45_163, 59_310, 64_147, 64_150,
            66_096,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "pairs and fours, below 10 jobs",
        batches: 4_947,
        sizes: &[SizeShare { size: 2, jobs: 3_268 }, SizeShare { size: 4, jobs: 6_663 }],
        lengths: [1.00, 1.00, 1.00, 2.00, 3.00, 3.52, 5.28, 6.16, 7.91],
        run_times_s: [
            1, 50, 55, 60, 72, 95, 148, 303, 730, 2_107, 9_988, 39_326, 63_188, 66_096, 66_096, 66_096,
        ],
        likeness: 0.84,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "pairs and fours, 10 jobs or more",
        batches: 202,
        sizes: &[SizeShare { size: 2, jobs: 2_251 }, SizeShare { size: 4, jobs: 1_643 }],
        lengths: [10.00, 10.00, 12.00, 15.00, 22.00, 27.24, 31.00, 46.97, 471.56],
        run_times_s: [1, 49, 51, 53, 58, 64, 74, 86, 131, 223, 2_509, 51_284, 55_107, 57_495, 57_501, 58_013],
        likeness: 0.00,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "eights and sixteens, single jobs",
        batches: 3_706,
        sizes: &[SizeShare { size: 8, jobs: 1_498 }, SizeShare { size: 16, jobs: 2_208 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            2, 57, 70, 84, 143, 306, 912, 2_388, 4_854, 11_755, 24_137, 49_369, 60_141, 66_096, 66_096,
            66_096,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "eights and sixteens, 2 to 9 jobs",
        batches: 1_664,
        sizes: &[SizeShare { size: 8, jobs: 2_570 }, SizeShare { size: 16, jobs: 2_599 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 4.92, 6.89, 7.88, 8.86],
        run_times_s: [
            4, 57, 64, 71, 86, 121, 172, 383, 1_097, 3_508, 8_810, 39_694, 56_179, 66_096, 66_096, 66_096,
        ],
        likeness: 0.64,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "eights and sixteens, 10 jobs or more",
        batches: 136,
        sizes: &[SizeShare { size: 8, jobs: 1_852 }, SizeShare { size: 16, jobs: 726 }],
        lengths: [10.00, 10.00, 12.00, 15.00, 23.00, 31.56, 42.41, 80.88, 122.31],
        run_times_s: [2, 59, 62, 64, 69, 74, 80, 86, 94, 130, 430, 3_528, 7_261, 20_299, 46_496, 52_812],
        likeness: 0.60,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "32 and 64, single jobs",
        batches: 2_160,
        sizes: &[SizeShare { size: 32, jobs: 1_200 }, SizeShare { size: 64, jobs: 960 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            14, 68, 101, 133, 211, 439, 1_321, 4_012, 7_264, 14_176, 24_860, 43_246, 58_938, 66_096, 66_096,
            66_096,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "32 and 64, 2 to 9 jobs",
        batches: 745,
        sizes: &[SizeShare { size: 32, jobs: 1_684 }, SizeShare { size: 64, jobs: 660 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 5.66, 6.60, 8.48, 8.48],
        run_times_s: [
            17, 70, 96, 121, 182, 291, 651, 2_189, 5_964, 10_192, 19_680, 34_662, 44_776, 52_831, 57_746,
            60_399,
        ],
        likeness: 0.55,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "32 and 64, 10 jobs or more",
        batches: 65,
        sizes: &[SizeShare { size: 32, jobs: 650 }, SizeShare { size: 64, jobs: 251 }],
        lengths: [10.00, 10.00, 11.00, 12.00, 15.00, 22.77, 27.32, 30.06, 52.83],
        run_times_s: [
            36, 54, 97, 103, 140, 167, 223, 458, 4_542, 6_838, 7_202, 10_551, 18_895, 36_944, 46_690, 46_694,
        ],
        likeness: 0.44,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "others below 24, below 10 jobs",
        batches: 4_568,
        sizes: &[
            SizeShare { size: 3, jobs: 811 },
            SizeShare { size: 5, jobs: 1_052 },
            SizeShare { size: 6, jobs: 564 },
            SizeShare { size: 7, jobs: 186 },
            SizeShare { size: 9, jobs: 683 },
            SizeShare { size: 10, jobs: 1_394 },
            SizeShare { size: 11, jobs: 186 },
            SizeShare { size: 12, jobs: 767 },
            SizeShare { size: 17, jobs: 395 },
            SizeShare { size: 18, jobs: 323 },
            SizeShare { size: 20, jobs: 599 },
            SizeShare { size: 21, jobs: 281 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 2.00, 2.94, 3.92, 5.89, 8.83],
        run_times_s: [
            2, 54, 63, 74, 105, 156, 240, 519, 1_076, 3_137, 10_718, 27_580, 50_913, 60_486, 66_096, 66_096,
        ],
        likeness: 0.50,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others below 24, 10 jobs or more",
        batches: 147,
        sizes: &[
            SizeShare { size: 3, jobs: 178 },
            SizeShare { size: 5, jobs: 839 },
            SizeShare { size: 6, jobs: 203 },
            SizeShare { size: 7, jobs: 31 },
            SizeShare { size: 9, jobs: 252 },
            SizeShare { size: 10, jobs: 521 },
            SizeShare { size: 11, jobs: 201 },
            SizeShare { size: 12, jobs: 236 },
            SizeShare { size: 14, jobs: 26 },
            SizeShare { size: 17, jobs: 10 },
            SizeShare { size: 20, jobs: 118 },
            SizeShare { size: 21, jobs: 32 },
        ],
        lengths: [10.00, 10.00, 12.00, 15.00, 24.00, 29.50, 47.58, 56.15, 62.81],
        run_times_s: [6, 39, 54, 59, 66, 75, 84, 122, 163, 249, 412, 4_581, 5_017, 5_741, 16_365, 59_685],
        likeness: 0.71,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "others from 24, single jobs",
        batches: 1_700,
        sizes: &[
            SizeShare { size: 24, jobs: 129 },
            SizeShare { size: 25, jobs: 139 },
            SizeShare { size: 26, jobs: 146 },
            SizeShare { size: 30, jobs: 142 },
            SizeShare { size: 31, jobs: 57 },
            SizeShare { size: 33, jobs: 225 },
            SizeShare { size: 34, jobs: 109 },
            SizeShare { size: 36, jobs: 86 },
            SizeShare { size: 37, jobs: 88 },
            SizeShare { size: 40, jobs: 239 },
            SizeShare { size: 61, jobs: 102 },
            SizeShare { size: 65, jobs: 238 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            9, 71, 96, 120, 181, 404, 756, 1_582, 3_790, 8_945, 21_524, 47_416, 64_416, 66_096, 66_096,
            66_096,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others from 24, 2 to 9 jobs",
        batches: 453,
        sizes: &[
            SizeShare { size: 24, jobs: 211 },
            SizeShare { size: 25, jobs: 37 },
            SizeShare { size: 28, jobs: 62 },
            SizeShare { size: 30, jobs: 133 },
            SizeShare { size: 33, jobs: 232 },
            SizeShare { size: 34, jobs: 90 },
            SizeShare { size: 36, jobs: 38 },
            SizeShare { size: 37, jobs: 34 },
            SizeShare { size: 38, jobs: 36 },
            SizeShare { size: 40, jobs: 66 },
            SizeShare { size: 51, jobs: 134 },
            SizeShare { size: 65, jobs: 152 },
        ],
        lengths: [2.00, 2.00, 2.00, 2.00, 3.00, 4.74, 5.93, 7.11, 10.67],
        run_times_s: [
            8, 72, 87, 99, 128, 179, 356, 612, 1_219, 3_655, 8_578, 21_826, 42_609, 59_005, 66_096, 66_096,
        ],
        likeness: 0.53,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others from 24, 10 jobs or more",
        batches: 11,
        sizes: &[
            SizeShare { size: 24, jobs: 129 },
            SizeShare { size: 25, jobs: 48 },
            SizeShare { size: 31, jobs: 32 },
            SizeShare { size: 51, jobs: 12 },
        ],
        lengths: [12.00, 12.00, 16.00, 17.00, 21.00, 38.76, 53.16, 53.16, 53.16],
        run_times_s: [
            91, 133, 157, 174, 191, 199, 207, 218, 233, 244, 252, 273, 1_827, 9_520, 11_114, 11_957,
        ],
        likeness: 0.78,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "128 and more, single jobs",
        batches: 668,
        sizes: &[
            SizeShare { size: 128, jobs: 424 },
            SizeShare { size: 129, jobs: 19 },
            SizeShare { size: 150, jobs: 5 },
            SizeShare { size: 151, jobs: 8 },
            SizeShare { size: 180, jobs: 6 },
            SizeShare { size: 192, jobs: 13 },
            SizeShare { size: 200, jobs: 26 },
            SizeShare { size: 256, jobs: 78 },
            SizeShare { size: 257, jobs: 9 },
            SizeShare { size: 300, jobs: 30 },
            SizeShare { size: 306, jobs: 38 },
            SizeShare { size: 320, jobs: 12 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            51, 116, 164, 233, 371, 549, 956, 2_065, 8_346, 21_667, 32_238, 58_373, 59_301, 59_364, 59_455,
            65_295,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "128 and more, 2 jobs or more",
        batches: 138,
        sizes: &[
            SizeShare { size: 128, jobs: 231 },
            SizeShare { size: 129, jobs: 90 },
            SizeShare { size: 162, jobs: 4 },
            SizeShare { size: 184, jobs: 2 },
            SizeShare { size: 192, jobs: 6 },
            SizeShare { size: 200, jobs: 5 },
            SizeShare { size: 256, jobs: 45 },
            SizeShare { size: 300, jobs: 6 },
            SizeShare { size: 306, jobs: 21 },
            SizeShare { size: 320, jobs: 5 },
            SizeShare { size: 330, jobs: 2 },
            SizeShare { size: 336, jobs: 7 },
        ],
        lengths: [2.00, 2.00, 2.00, 2.00, 3.00, 4.96, 5.96, 14.89, 29.78],
        run_times_s: [
            44, 130, 146, 192, 251, 300, 377, 534, 723, 1_540, 7_568, 27_896, 42_917, 61_310, 61_367, 61_520,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
];

const ESTIMATES: &[EstimateClass] = &[
    EstimateClass {
        below_s: 10,
        equal_share: 0.000,
        estimates_s: [
            300, 1_800, 7_200, 10_800, 21_600, 21_600, 36_000, 64_800, 64_800, 64_800, 64_800, 64_800,
        ],
    },
    EstimateClass {
        below_s: 60,
        equal_share: 0.001,
        estimates_s: [300, 300, 300, 600, 900, 900, 1_800, 7_200, 18_000, 36_000, 64_800, 64_800],
    },
    EstimateClass {
        below_s: 300,
        equal_share: 0.000,
        estimates_s: [300, 300, 600, 600, 840, 900, 900, 1_200, 2_100, 7_200, 16_200, 64_800],
    },
    EstimateClass {
        below_s: 600,
        equal_share: 0.140,
        estimates_s: [600, 600, 900, 900, 900, 1_800, 2_100, 3_600, 7_200, 14_400, 25_200, 64_800],
    },
    EstimateClass {
        below_s: 1_200,
        equal_share: 0.247,
        estimates_s: [900, 1_080, 1_800, 1_800, 3_600, 3_600, 7_200, 10_800, 10_800, 21_600, 43_200, 64_800],
    },
    EstimateClass {
        below_s: 1_800,
        equal_share: 0.096,
        estimates_s: [
            1_800, 2_400, 3_600, 3_600, 6_300, 7_200, 10_800, 10_800, 12_000, 21_600, 43_200, 64_800,
        ],
    },
    EstimateClass {
        below_s: 3_600,
        equal_share: 0.080,
        estimates_s: [
            3_300, 3_600, 4_800, 7_200, 9_900, 10_800, 10_800, 16_200, 21_600, 21_600, 54_000, 64_800,
        ],
    },
    EstimateClass {
        below_s: 7_200,
        equal_share: 0.088,
        estimates_s: [
            5_340, 7_200, 7_200, 10_200, 10_800, 11_700, 14_400, 18_000, 21_600, 43_200, 64_800, 64_800,
        ],
    },
    EstimateClass {
        below_s: 10_800,
        equal_share: 0.103,
        estimates_s: [
            10_800, 10_800, 13_200, 14_400, 18_000, 21_600, 21_600, 22_800, 43_200, 64_800, 64_800, 64_800,
        ],
    },
    EstimateClass {
        below_s: 21_600,
        equal_share: 0.112,
        estimates_s: [
            14_400, 18_000, 21_600, 21_600, 27_000, 32_400, 36_000, 54_000, 64_800, 64_800, 64_800, 64_800,
        ],
    },
    EstimateClass {
        below_s: 43_200,
        equal_share: 0.112,
        estimates_s: [
            28_800, 36_000, 43_200, 54_000, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800,
        ],
    },
    EstimateClass {
        below_s: u32::MAX,
        equal_share: 0.287,
        estimates_s: [
            54_000, 61_200, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800,
        ],
    },
];
