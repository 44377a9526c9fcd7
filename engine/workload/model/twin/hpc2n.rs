//! The twin of HPC2N-2002-2.2-cln: 240 processors; a third of the jobs runs for hours and holds nearly all work.

use super::model::{BatchClass, EstimateClass, Gaps, SizeShare, Submission, TwinModel, WeekVariation};

/// Fitted to HPC2N-2002-2.2-cln (202,871 usable jobs of 202,871 records).
pub const MODEL: TwinModel = TwinModel {
    name: "HPC2N-2002-2.2-cln",
    nodes: 240,
    jobs: 202_871,
    span_s: 109_241_501,
    offered_load: 0.5956,
    batches: BATCHES,
    estimates: ESTIMATES,
    hours: [
        0.84, 1.45, 1.75, 1.89, 1.73, 1.82, 1.84, 1.87, 1.85, 1.51, 1.21, 1.00, 0.91, 0.75, 0.75, 0.62, 0.55,
        0.36, 0.26, 0.25, 0.16, 0.15, 0.15, 0.32,
    ],
    days: [1.16, 1.05, 0.55, 0.59, 1.24, 1.20, 1.21],
    weeks: WeekVariation { sigma: 0.13, carry_over: 0.00 },
    submission: Submission::AsDemanded,
    flurries: &[],
    memory: None,
};

const GAPS_OF_FEW: Gaps = Gaps { gaps_s: [0, 2, 15, 119, 575, 1_677, 2_951, 3_600], likeness: 0.56 };

const GAPS_OF_MANY: Gaps = Gaps { gaps_s: [0, 0, 1, 5, 57, 414, 1_564, 3_598], likeness: 0.65 };

const BATCHES: &[BatchClass] = &[
    BatchClass {
        label: "serial, single jobs",
        batches: 1_942,
        sizes: &[SizeShare { size: 1, jobs: 1_942 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 1, 3, 6, 18, 106, 1_295, 3_641, 11_363, 34_734, 72_069, 142_873, 250_707, 423_988, 424_094,
            425_164,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "serial, 2 to 9 jobs",
        batches: 2_496,
        sizes: &[SizeShare { size: 1, jobs: 9_866 }],
        lengths: [2.00, 2.00, 3.00, 4.00, 5.78, 6.74, 7.70, 8.66, 8.66],
        run_times_s: [
            1, 1, 2, 5, 20, 122, 1_081, 4_744, 13_405, 26_507, 56_271, 114_245, 216_955, 365_199, 432_125,
            432_125,
        ],
        likeness: 0.74,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "serial, 10 to 99 jobs",
        batches: 1_530,
        sizes: &[SizeShare { size: 1, jobs: 43_614 }],
        lengths: [10.00, 12.00, 17.00, 26.00, 42.00, 62.37, 68.21, 85.76, 96.48],
        run_times_s: [
            1, 1, 3, 11, 644, 2_358, 5_389, 7_122, 14_095, 21_306, 37_159, 53_790, 87_455, 167_923, 365_922,
            432_353,
        ],
        likeness: 0.52,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "serial, 100 jobs or more",
        batches: 128,
        sizes: &[SizeShare { size: 1, jobs: 30_656 }],
        lengths: [100.00, 112.00, 135.00, 192.00, 296.00, 523.67, 533.10, 728.96, 2418.00],
        run_times_s: [
            1, 1, 5, 38, 326, 1_524, 3_091, 6_296, 10_347, 11_980, 12_853, 20_052, 20_111, 28_598, 67_999,
            480_139,
        ],
        likeness: 0.45,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "pairs and fours, single jobs",
        batches: 3_550,
        sizes: &[SizeShare { size: 2, jobs: 1_521 }, SizeShare { size: 4, jobs: 2_029 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 2, 4, 8, 19, 61, 196, 961, 3_126, 6_014, 17_171, 37_681, 83_220, 211_400, 415_672, 415_778,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "pairs and fours, 2 to 9 jobs",
        batches: 3_936,
        sizes: &[SizeShare { size: 2, jobs: 7_275 }, SizeShare { size: 4, jobs: 7_406 }],
        lengths: [2.00, 2.00, 3.00, 4.00, 5.00, 6.05, 6.91, 7.78, 7.78],
        run_times_s: [
            1, 1, 3, 7, 12, 34, 64, 249, 1_506, 3_440, 20_995, 27_761, 76_006, 190_011, 379_871, 379_996,
        ],
        likeness: 0.78,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "pairs and fours, 10 to 99 jobs",
        batches: 1_073,
        sizes: &[SizeShare { size: 2, jobs: 12_274 }, SizeShare { size: 4, jobs: 12_042 }],
        lengths: [10.00, 11.00, 14.00, 20.00, 30.00, 43.64, 59.16, 70.80, 95.05],
        run_times_s: [
            1, 2, 4, 7, 10, 25, 61, 320, 2_779, 3_373, 20_996, 20_996, 20_996, 79_865, 197_444, 403_788,
        ],
        likeness: 0.53,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "pairs and fours, 100 jobs or more",
        batches: 93,
        sizes: &[SizeShare { size: 2, jobs: 16_160 }, SizeShare { size: 4, jobs: 3_126 }],
        lengths: [100.00, 118.00, 136.00, 172.00, 262.00, 366.63, 451.24, 829.71, 838.80],
        run_times_s: [
            1, 2, 2, 5, 38, 1_436, 2_866, 3_000, 3_306, 3_336, 20_991, 21_190, 49_575, 290_131, 361_757,
            403_607,
        ],
        likeness: 0.69,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "eights and sixteens, single jobs",
        batches: 4_932,
        sizes: &[SizeShare { size: 8, jobs: 2_407 }, SizeShare { size: 16, jobs: 2_525 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 3, 9, 15, 61, 311, 1_778, 5_682, 13_686, 27_060, 43_238, 69_455, 104_257, 189_787, 280_649,
            416_657,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "eights and sixteens, 2 to 9 jobs",
        batches: 3_444,
        sizes: &[SizeShare { size: 8, jobs: 7_449 }, SizeShare { size: 16, jobs: 4_581 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 5.00, 6.74, 8.99, 9.00, 9.00],
        run_times_s: [
            1, 2, 7, 11, 23, 61, 121, 591, 3_874, 13_308, 28_891, 62_619, 77_395, 129_229, 211_837, 387_418,
        ],
        likeness: 0.48,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "eights and sixteens, 10 jobs or more",
        batches: 490,
        sizes: &[SizeShare { size: 8, jobs: 7_733 }, SizeShare { size: 16, jobs: 3_523 }],
        lengths: [10.00, 11.00, 13.00, 18.00, 28.00, 28.00, 37.25, 54.45, 709.28],
        run_times_s: [1, 1, 1, 2, 9, 13, 20, 42, 64, 344, 4_527, 23_394, 70_864, 113_615, 181_708, 302_050],
        likeness: 0.26,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "powers of two from 32, single jobs",
        batches: 1_660,
        sizes: &[SizeShare { size: 32, jobs: 1_300 }, SizeShare { size: 64, jobs: 360 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 5, 13, 24, 53, 157, 786, 5_582, 15_775, 23_845, 27_002, 33_491, 46_266, 69_350, 138_638,
            317_858,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "powers of two from 32, 2 to 9 jobs",
        batches: 900,
        sizes: &[SizeShare { size: 32, jobs: 2_288 }, SizeShare { size: 64, jobs: 819 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 5.00, 6.77, 7.89, 9.00, 9.00],
        run_times_s: [
            1, 3, 9, 15, 27, 39, 61, 81, 213, 963, 11_391, 26_703, 41_625, 67_167, 114_431, 225_083,
        ],
        likeness: 0.34,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "powers of two from 32, 10 jobs or more",
        batches: 76,
        sizes: &[SizeShare { size: 32, jobs: 5_303 }, SizeShare { size: 64, jobs: 166 }],
        lengths: [10.00, 13.00, 16.00, 25.00, 38.00, 60.43, 232.14, 1168.36, 1654.69],
        run_times_s: [1, 1, 1, 2, 8, 10, 10, 10, 11, 14, 19, 60, 948, 26_333, 33_465, 84_353],
        likeness: 0.00,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "others below 24, below 10 jobs",
        batches: 3_745,
        sizes: &[
            SizeShare { size: 3, jobs: 121 },
            SizeShare { size: 5, jobs: 50 },
            SizeShare { size: 6, jobs: 2_493 },
            SizeShare { size: 9, jobs: 254 },
            SizeShare { size: 10, jobs: 1_144 },
            SizeShare { size: 12, jobs: 1_504 },
            SizeShare { size: 14, jobs: 143 },
            SizeShare { size: 18, jobs: 628 },
            SizeShare { size: 20, jobs: 1_198 },
        ],
        lengths: [1.00, 1.00, 1.00, 2.00, 3.00, 3.44, 5.16, 6.87, 7.73],
        run_times_s: [
            1, 3, 8, 14, 61, 190, 844, 2_518, 4_877, 9_038, 18_687, 40_563, 67_019, 95_864, 162_347, 270_486,
        ],
        likeness: 0.16,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others below 24, 10 jobs or more",
        batches: 183,
        sizes: &[
            SizeShare { size: 3, jobs: 24 },
            SizeShare { size: 5, jobs: 91 },
            SizeShare { size: 6, jobs: 960 },
            SizeShare { size: 7, jobs: 49 },
            SizeShare { size: 9, jobs: 47 },
            SizeShare { size: 10, jobs: 1_305 },
            SizeShare { size: 12, jobs: 369 },
            SizeShare { size: 18, jobs: 99 },
            SizeShare { size: 20, jobs: 370 },
        ],
        lengths: [10.00, 10.00, 12.00, 17.00, 24.00, 30.24, 39.02, 48.77, 79.01],
        run_times_s: [
            1, 2, 3, 7, 12, 34, 170, 399, 1_945, 2_785, 4_487, 7_354, 11_893, 17_675, 29_390, 57_852,
        ],
        likeness: 0.28,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "others from 24, single jobs",
        batches: 1_311,
        sizes: &[
            SizeShare { size: 24, jobs: 341 },
            SizeShare { size: 25, jobs: 119 },
            SizeShare { size: 28, jobs: 49 },
            SizeShare { size: 30, jobs: 61 },
            SizeShare { size: 36, jobs: 364 },
            SizeShare { size: 40, jobs: 101 },
            SizeShare { size: 48, jobs: 49 },
            SizeShare { size: 49, jobs: 86 },
            SizeShare { size: 54, jobs: 10 },
            SizeShare { size: 60, jobs: 75 },
            SizeShare { size: 96, jobs: 56 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 9, 16, 32, 113, 440, 1_636, 3_837, 9_087, 18_269, 28_303, 41_206, 50_771, 76_189, 79_355,
            196_834,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others from 24, 2 to 9 jobs",
        batches: 813,
        sizes: &[
            SizeShare { size: 24, jobs: 888 },
            SizeShare { size: 25, jobs: 129 },
            SizeShare { size: 28, jobs: 72 },
            SizeShare { size: 30, jobs: 84 },
            SizeShare { size: 36, jobs: 962 },
            SizeShare { size: 40, jobs: 224 },
            SizeShare { size: 48, jobs: 69 },
            SizeShare { size: 50, jobs: 129 },
            SizeShare { size: 60, jobs: 70 },
            SizeShare { size: 72, jobs: 83 },
            SizeShare { size: 98, jobs: 73 },
        ],
        lengths: [2.00, 2.00, 2.00, 3.00, 5.00, 6.18, 8.24, 9.00, 9.00],
        run_times_s: [
            1, 4, 10, 17, 50, 174, 1_090, 8_804, 20_361, 25_860, 30_967, 34_870, 41_323, 43_113, 68_002,
            135_909,
        ],
        likeness: 0.59,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "others from 24, 10 jobs or more",
        batches: 94,
        sizes: &[
            SizeShare { size: 24, jobs: 377 },
            SizeShare { size: 25, jobs: 41 },
            SizeShare { size: 28, jobs: 27 },
            SizeShare { size: 30, jobs: 10 },
            SizeShare { size: 36, jobs: 598 },
            SizeShare { size: 40, jobs: 120 },
            SizeShare { size: 48, jobs: 14 },
            SizeShare { size: 50, jobs: 65 },
            SizeShare { size: 60, jobs: 21 },
            SizeShare { size: 72, jobs: 22 },
            SizeShare { size: 98, jobs: 34 },
        ],
        lengths: [10.00, 10.00, 10.00, 12.00, 17.00, 21.36, 33.02, 35.93, 43.70],
        run_times_s: [
            1, 5, 8, 13, 29, 222, 17_082, 23_190, 25_839, 26_365, 30_985, 34_627, 43_236, 44_608, 51_146,
            147_168,
        ],
        likeness: 0.24,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "half of the machine or more",
        batches: 128,
        sizes: &[
            SizeShare { size: 120, jobs: 22 },
            SizeShare { size: 128, jobs: 207 },
            SizeShare { size: 140, jobs: 3 },
            SizeShare { size: 190, jobs: 1 },
            SizeShare { size: 200, jobs: 1 },
        ],
        lengths: [1.00, 1.00, 1.00, 1.00, 3.00, 3.64, 5.46, 6.38, 8.20],
        run_times_s: [1, 6, 17, 29, 53, 61, 62, 125, 246, 530, 1_295, 2_952, 10_279, 34_312, 52_536, 52_555],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
];

const ESTIMATES: &[EstimateClass] = &[
    EstimateClass {
        below_s: 10,
        equal_share: 0.001,
        estimates_s: [60, 120, 300, 600, 900, 1_800, 3_600, 14_400, 21_600, 38_400, 86_400, 291_599],
    },
    EstimateClass {
        below_s: 60,
        equal_share: 0.012,
        estimates_s: [60, 120, 300, 300, 600, 660, 1_800, 3_600, 21_600, 27_000, 35_940, 144_000],
    },
    EstimateClass {
        below_s: 300,
        equal_share: 0.123,
        estimates_s: [180, 300, 300, 600, 900, 1_800, 3_600, 7_200, 36_000, 90_000, 291_599, 291_599],
    },
    EstimateClass {
        below_s: 600,
        equal_share: 0.121,
        estimates_s: [600, 600, 780, 1_200, 1_800, 3_600, 3_600, 10_800, 19_800, 36_000, 72_000, 291_599],
    },
    EstimateClass {
        below_s: 1_200,
        equal_share: 0.094,
        estimates_s: [900, 1_200, 1_200, 1_200, 1_800, 3_600, 3_600, 7_200, 10_800, 21_600, 72_000, 291_599],
    },
    EstimateClass {
        below_s: 1_800,
        equal_share: 0.036,
        estimates_s: [1_800, 1_800, 1_800, 1_800, 1_800, 1_800, 2_700, 3_600, 3_600, 8_160, 21_780, 108_000],
    },
    EstimateClass {
        below_s: 3_600,
        equal_share: 0.093,
        estimates_s: [3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 3_620, 3_623, 3_630, 7_200, 10_800, 72_000],
    },
    EstimateClass {
        below_s: 7_200,
        equal_share: 0.052,
        estimates_s: [
            5_400, 7_200, 7_200, 9_000, 10_800, 10_800, 10_800, 10_800, 14_400, 18_000, 43_200, 118_800,
        ],
    },
    EstimateClass {
        below_s: 10_800,
        equal_share: 0.061,
        estimates_s: [
            9_000, 10_800, 10_800, 11_400, 18_000, 18_000, 18_000, 19_740, 25_200, 37_800, 72_060, 144_060,
        ],
    },
    EstimateClass {
        below_s: 21_600,
        equal_share: 0.038,
        estimates_s: [
            14_400, 18_000, 18_000, 18_000, 21_600, 21_600, 21_600, 21_600, 21_600, 21_600, 36_000, 108_000,
        ],
    },
    EstimateClass {
        below_s: 43_200,
        equal_share: 0.097,
        estimates_s: [
            27_960, 31_980, 39_600, 43_200, 54_000, 54_000, 54_000, 54_000, 54_000, 72_000, 108_060, 198_000,
        ],
    },
    EstimateClass {
        below_s: 86_400,
        equal_share: 0.199,
        estimates_s: [
            51_180, 57_600, 72_000, 72_000, 79_200, 86_400, 86_400, 108_000, 108_060, 144_000, 180_000,
            359_999,
        ],
    },
    EstimateClass {
        below_s: u32::MAX,
        equal_share: 0.319,
        estimates_s: [
            108_000, 136_800, 144_000, 165_599, 180_000, 216_000, 273_600, 291_599, 359_999, 363_599,
            432_000, 432_000,
        ],
    },
];
