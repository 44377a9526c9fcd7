//! The twin of SDSC-BLUE-2000-4.2-cln: 1,152 processors in nodes of eight; nearly all jobs are multiples of eight.

use super::model::{BatchClass, EstimateClass, Gaps, SizeShare, Submission, TwinModel, WeekVariation};

/// Fitted to SDSC-BLUE-2000-4.2-cln (232,536 usable jobs of 243,306 records).
pub const MODEL: TwinModel = TwinModel {
    name: "SDSC-BLUE-2000-4.2-cln",
    nodes: 1_152,
    jobs: 232_536,
    span_s: 84_160_146,
    offered_load: 0.7692,
    batches: BATCHES,
    estimates: ESTIMATES,
    hours: [
        1.72, 1.54, 1.32, 1.09, 0.91, 0.75, 0.69, 0.63, 0.56, 0.57, 0.47, 0.38, 0.31, 0.32, 0.37, 0.58, 0.79,
        1.08, 1.37, 1.57, 1.79, 1.75, 1.66, 1.77,
    ],
    days: [0.98, 1.09, 1.25, 1.23, 1.22, 0.71, 0.54],
    weeks: WeekVariation { sigma: 0.10, carry_over: 0.57 },
    submission: Submission::AsDemanded,
    flurries: &[],
    memory: None,
};

const GAPS_OF_FEW: Gaps = Gaps { gaps_s: [0, 11, 90, 384, 1_122, 2_167, 3_070, 3_600], likeness: 0.48 };

const GAPS_OF_MANY: Gaps = Gaps { gaps_s: [0, 5, 29, 199, 650, 1_404, 2_477, 3_600], likeness: 0.43 };

const BATCHES: &[BatchClass] = &[
    BatchClass {
        label: "one node, below 10 jobs",
        batches: 23_010,
        sizes: &[SizeShare { size: 8, jobs: 57_564 }],
        lengths: [1.00, 1.00, 1.00, 2.00, 4.00, 6.23, 7.27, 8.30, 9.00],
        run_times_s: [
            1, 28, 34, 41, 49, 65, 95, 154, 269, 594, 1_479, 4_734, 11_123, 28_776, 74_538, 456_920,
        ],
        likeness: 0.09,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "one node, 10 to 99 jobs",
        batches: 2_704,
        sizes: &[SizeShare { size: 8, jobs: 54_507 }],
        lengths: [10.00, 11.00, 14.00, 17.00, 26.00, 35.17, 45.91, 63.49, 95.73],
        run_times_s: [1, 30, 34, 39, 42, 47, 56, 75, 110, 180, 350, 743, 1_664, 5_334, 11_651, 103_949],
        likeness: 0.67,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "one node, 100 jobs or more",
        batches: 27,
        sizes: &[SizeShare { size: 8, jobs: 4_756 }],
        lengths: [104.00, 115.00, 142.00, 182.00, 224.00, 267.59, 328.59, 333.51, 333.51],
        run_times_s: [
            28, 34, 36, 41, 45, 54, 83, 154, 920, 1_333, 2_733, 9_092, 27_849, 34_823, 45_127, 108_027,
        ],
        likeness: 0.95,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "two and four nodes, below 10 jobs",
        batches: 17_831,
        sizes: &[SizeShare { size: 16, jobs: 20_669 }, SizeShare { size: 32, jobs: 15_418 }],
        lengths: [1.00, 1.00, 1.00, 2.00, 3.00, 3.50, 5.26, 7.01, 7.88],
        run_times_s: [
            1, 43, 49, 56, 79, 128, 208, 419, 925, 1_800, 4_813, 11_029, 25_395, 56_016, 87_992, 129_761,
        ],
        likeness: 0.62,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "two and four nodes, 10 jobs or more",
        batches: 1_045,
        sizes: &[SizeShare { size: 16, jobs: 12_193 }, SizeShare { size: 32, jobs: 8_246 }],
        lengths: [10.00, 11.00, 13.00, 16.00, 23.00, 29.42, 40.12, 71.33, 181.90],
        run_times_s: [3, 41, 48, 55, 68, 95, 139, 221, 386, 782, 1_124, 2_046, 6_408, 12_749, 26_189, 84_888],
        likeness: 0.65,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "64 and 128, single jobs",
        batches: 10_145,
        sizes: &[SizeShare { size: 64, jobs: 7_084 }, SizeShare { size: 128, jobs: 3_061 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            4, 52, 60, 86, 248, 920, 2_734, 5_239, 7_247, 13_005, 28_562, 53_470, 65_556, 97_186, 145_752,
            165_509,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "64 and 128, 2 to 9 jobs",
        batches: 4_733,
        sizes: &[SizeShare { size: 64, jobs: 12_626 }, SizeShare { size: 128, jobs: 2_693 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 6.29, 7.34, 8.38, 9.00],
        run_times_s: [
            2, 51, 58, 72, 157, 371, 874, 1_975, 2_861, 5_064, 7_248, 25_234, 50_327, 69_864, 129_653,
            129_653,
        ],
        likeness: 0.54,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "64 and 128, 10 jobs or more",
        batches: 410,
        sizes: &[SizeShare { size: 64, jobs: 6_542 }, SizeShare { size: 128, jobs: 1_892 }],
        lengths: [10.00, 11.00, 12.00, 16.00, 25.00, 33.49, 44.32, 69.94, 252.16],
        run_times_s: [
            9, 48, 51, 60, 94, 168, 282, 556, 1_025, 1_682, 2_265, 3_419, 4_776, 8_340, 37_335, 121_405,
        ],
        likeness: 0.22,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "256, single jobs",
        batches: 2_142,
        sizes: &[SizeShare { size: 256, jobs: 2_142 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            22, 55, 67, 104, 317, 1_008, 2_640, 6_196, 12_454, 20_303, 26_842, 41_598, 63_851, 104_686,
            127_653, 418_304,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "256, 2 to 9 jobs",
        batches: 843,
        sizes: &[SizeShare { size: 256, jobs: 2_715 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 6.18, 7.22, 8.25, 9.00],
        run_times_s: [
            1, 53, 63, 89, 348, 1_141, 2_425, 2_657, 3_643, 5_127, 11_962, 20_139, 28_997, 47_194, 63_154,
            126_166,
        ],
        likeness: 0.35,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "256, 10 jobs or more",
        batches: 105,
        sizes: &[SizeShare { size: 256, jobs: 1_465 }],
        lengths: [10.00, 10.00, 11.00, 13.00, 17.00, 19.90, 25.13, 31.42, 36.00],
        run_times_s: [
            52, 62, 172, 936, 2_471, 2_633, 2_728, 2_859, 3_381, 3_575, 4_682, 14_545, 14_832, 15_437,
            23_061, 23_061,
        ],
        likeness: 0.82,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "512",
        batches: 981,
        sizes: &[SizeShare { size: 512, jobs: 1_416 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.98, 2.98, 4.96, 27.79],
        run_times_s: [
            1, 62, 67, 73, 97, 178, 316, 583, 1_127, 1_966, 7_090, 21_837, 35_764, 52_128, 72_665, 130_547,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others below 100, single jobs",
        batches: 4_252,
        sizes: &[
            SizeShare { size: 24, jobs: 901 },
            SizeShare { size: 40, jobs: 654 },
            SizeShare { size: 48, jobs: 624 },
            SizeShare { size: 56, jobs: 370 },
            SizeShare { size: 72, jobs: 137 },
            SizeShare { size: 80, jobs: 559 },
            SizeShare { size: 88, jobs: 115 },
            SizeShare { size: 96, jobs: 892 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            11, 49, 55, 67, 157, 451, 1_246, 2_580, 5_026, 8_533, 18_165, 57_389, 93_401, 123_699, 124_275,
            124_340,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others below 100, 2 to 9 jobs",
        batches: 1_944,
        sizes: &[
            SizeShare { size: 24, jobs: 2_024 },
            SizeShare { size: 40, jobs: 1_143 },
            SizeShare { size: 48, jobs: 928 },
            SizeShare { size: 56, jobs: 333 },
            SizeShare { size: 72, jobs: 124 },
            SizeShare { size: 80, jobs: 672 },
            SizeShare { size: 88, jobs: 160 },
            SizeShare { size: 96, jobs: 720 },
        ],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 5.69, 6.64, 7.59, 8.54],
        run_times_s: [
            17, 45, 52, 59, 100, 182, 382, 888, 1_468, 2_614, 8_027, 39_814, 97_915, 119_352, 119_354,
            119_376,
        ],
        likeness: 0.37,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others below 100, 10 jobs or more",
        batches: 153,
        sizes: &[
            SizeShare { size: 24, jobs: 1_096 },
            SizeShare { size: 40, jobs: 453 },
            SizeShare { size: 48, jobs: 1_001 },
            SizeShare { size: 80, jobs: 96 },
            SizeShare { size: 88, jobs: 101 },
            SizeShare { size: 96, jobs: 80 },
        ],
        lengths: [10.00, 10.00, 12.00, 15.00, 23.00, 34.46, 42.57, 51.69, 129.00],
        run_times_s: [
            22, 46, 48, 50, 67, 113, 180, 336, 610, 862, 1_075, 4_322, 9_210, 27_927, 72_965, 72_965,
        ],
        likeness: 0.83,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "others from 100, single jobs",
        batches: 1_739,
        sizes: &[
            SizeShare { size: 112, jobs: 176 },
            SizeShare { size: 120, jobs: 159 },
            SizeShare { size: 160, jobs: 303 },
            SizeShare { size: 168, jobs: 40 },
            SizeShare { size: 192, jobs: 250 },
            SizeShare { size: 240, jobs: 158 },
            SizeShare { size: 320, jobs: 227 },
            SizeShare { size: 384, jobs: 190 },
            SizeShare { size: 400, jobs: 88 },
            SizeShare { size: 496, jobs: 90 },
            SizeShare { size: 504, jobs: 58 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            8, 51, 59, 72, 180, 643, 1_550, 3_021, 4_353, 10_527, 20_446, 53_128, 79_407, 119_661, 126_509,
            126_519,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others from 100, 2 jobs or more",
        batches: 449,
        sizes: &[
            SizeShare { size: 112, jobs: 195 },
            SizeShare { size: 136, jobs: 68 },
            SizeShare { size: 160, jobs: 369 },
            SizeShare { size: 192, jobs: 143 },
            SizeShare { size: 200, jobs: 63 },
            SizeShare { size: 216, jobs: 125 },
            SizeShare { size: 320, jobs: 153 },
            SizeShare { size: 360, jobs: 38 },
            SizeShare { size: 384, jobs: 456 },
            SizeShare { size: 496, jobs: 44 },
            SizeShare { size: 504, jobs: 15 },
        ],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 4.16, 4.99, 7.49, 143.88],
        run_times_s: [
            22, 47, 48, 48, 52, 69, 163, 512, 1_177, 2_164, 4_451, 26_185, 52_885, 63_234, 118_711, 126_417,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "half of the machine or more",
        batches: 419,
        sizes: &[
            SizeShare { size: 576, jobs: 38 },
            SizeShare { size: 608, jobs: 20 },
            SizeShare { size: 640, jobs: 67 },
            SizeShare { size: 648, jobs: 36 },
            SizeShare { size: 720, jobs: 50 },
            SizeShare { size: 768, jobs: 111 },
            SizeShare { size: 800, jobs: 87 },
            SizeShare { size: 960, jobs: 74 },
            SizeShare { size: 968, jobs: 15 },
            SizeShare { size: 992, jobs: 55 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 2.03, 3.05, 4.07, 12.00],
        run_times_s: [
            44, 57, 67, 80, 197, 381, 646, 997, 1_862, 6_179, 18_599, 23_654, 35_384, 56_296, 112_547,
            112_550,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "1024 and more",
        batches: 255,
        sizes: &[
            SizeShare { size: 1_024, jobs: 361 },
            SizeShare { size: 1_032, jobs: 2 },
            SizeShare { size: 1_040, jobs: 7 },
            SizeShare { size: 1_048, jobs: 6 },
            SizeShare { size: 1_056, jobs: 2 },
            SizeShare { size: 1_072, jobs: 2 },
            SizeShare { size: 1_080, jobs: 1 },
            SizeShare { size: 1_096, jobs: 2 },
            SizeShare { size: 1_112, jobs: 5 },
            SizeShare { size: 1_120, jobs: 14 },
            SizeShare { size: 1_152, jobs: 1 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 2.00, 2.52, 3.36, 5.05, 20.19],
        run_times_s: [
            38, 64, 73, 80, 95, 139, 280, 356, 867, 2_065, 3_527, 6_548, 22_147, 34_915, 103_717, 177_677,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
];

const ESTIMATES: &[EstimateClass] = &[
    EstimateClass {
        below_s: 10,
        equal_share: 0.000,
        estimates_s: [300, 300, 300, 300, 300, 600, 900, 1_200, 1_800, 3_600, 5_400, 16_200],
    },
    EstimateClass {
        below_s: 60,
        equal_share: 0.002,
        estimates_s: [300, 900, 1_800, 1_800, 3_000, 7_140, 7_140, 7_200, 7_200, 7_200, 7_200, 18_000],
    },
    EstimateClass {
        below_s: 300,
        equal_share: 0.006,
        estimates_s: [300, 900, 900, 900, 900, 1_800, 1_800, 1_800, 1_800, 4_500, 7_200, 7_200],
    },
    EstimateClass {
        below_s: 600,
        equal_share: 0.049,
        estimates_s: [600, 900, 900, 900, 1_200, 1_800, 1_800, 2_400, 5_400, 7_140, 7_200, 12_000],
    },
    EstimateClass {
        below_s: 1_200,
        equal_share: 0.273,
        estimates_s: [900, 900, 1_200, 1_800, 1_800, 1_800, 3_600, 3_600, 7_140, 7_200, 7_200, 15_600],
    },
    EstimateClass {
        below_s: 1_800,
        equal_share: 0.180,
        estimates_s: [1_800, 1_800, 1_800, 2_100, 3_600, 3_600, 7_140, 7_140, 7_200, 7_200, 7_200, 22_200],
    },
    EstimateClass {
        below_s: 3_600,
        equal_share: 0.279,
        estimates_s: [3_300, 3_600, 3_600, 5_400, 5_400, 7_140, 7_200, 7_200, 7_200, 7_200, 10_800, 21_600],
    },
    EstimateClass {
        below_s: 7_200,
        equal_share: 0.143,
        estimates_s: [5_400, 6_300, 7_140, 7_200, 7_200, 7_200, 7_200, 7_200, 9_000, 10_800, 18_000, 43_200],
    },
    EstimateClass {
        below_s: 10_800,
        equal_share: 0.386,
        estimates_s: [
            8_400, 9_900, 10_800, 10_800, 10_800, 14_400, 14_400, 14_400, 17_400, 21_600, 36_000, 64_800,
        ],
    },
    EstimateClass {
        below_s: 21_600,
        equal_share: 0.188,
        estimates_s: [
            14_400, 15_300, 16_200, 18_000, 18_000, 21_600, 23_400, 27_000, 28_800, 36_000, 54_000, 86_400,
        ],
    },
    EstimateClass {
        below_s: 43_200,
        equal_share: 0.236,
        estimates_s: [
            27_000, 29_700, 32_400, 36_000, 43_200, 43_200, 46_800, 54_000, 64_800, 64_800, 72_000, 108_000,
        ],
    },
    EstimateClass {
        below_s: 86_400,
        equal_share: 0.348,
        estimates_s: [
            54_000, 57_600, 64_500, 64_800, 64_800, 64_800, 64_800, 64_800, 64_800, 72_000, 108_000, 129_600,
        ],
    },
    EstimateClass {
        below_s: u32::MAX,
        equal_share: 0.540,
        estimates_s: [
            111_600, 129_599, 129_600, 129_600, 129_600, 129_600, 129_600, 129_600, 129_600, 129_600,
            129_600, 129_600,
        ],
    },
];
