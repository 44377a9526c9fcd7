//! The twin of LANL-CM5-1994-4.1-cln: 1,024 processors with 32 MB each, in partitions of 32 times a power of two.

use super::model::{
    BatchClass, EstimateClass, Gaps, Memory, MemoryClass, SizeShare, Submission, TwinModel, WeekVariation,
};

/// Fitted to LANL-CM5-1994-4.1-cln (122,055 usable jobs of 122,060 records).
pub const MODEL: TwinModel = TwinModel {
    name: "LANL-CM5-1994-4.1-cln",
    nodes: 1_024,
    jobs: 122_055,
    span_s: 62_288_828,
    offered_load: 0.7133,
    batches: BATCHES,
    estimates: ESTIMATES,
    hours: [
        0.89, 1.19, 1.42, 1.63, 1.64, 1.61, 1.69, 1.81, 1.91, 1.69, 1.47, 1.06, 0.83, 0.72, 0.67, 0.64, 0.56,
        0.46, 0.39, 0.33, 0.31, 0.28, 0.29, 0.51,
    ],
    days: [1.19, 1.27, 1.07, 1.18, 0.61, 0.58, 1.09],
    weeks: WeekVariation { sigma: 0.20, carry_over: 0.45 },
    submission: Submission::AsDemanded,
    flurries: &[],
    memory: Some(&MEMORY),
};

const GAPS_OF_FEW: Gaps = Gaps { gaps_s: [0, 66, 252, 697, 1_655, 2_720, 3_366, 3_600], likeness: 0.31 };

const GAPS_OF_MANY: Gaps = Gaps { gaps_s: [0, 27, 92, 300, 779, 1_853, 2_985, 3_600], likeness: 0.56 };

const BATCHES: &[BatchClass] = &[
    BatchClass {
        label: "32, below 10 jobs",
        batches: 18_653,
        sizes: &[SizeShare { size: 32, jobs: 37_608 }],
        lengths: [1.00, 1.00, 1.00, 2.00, 3.00, 3.46, 5.19, 6.92, 7.79],
        run_times_s: [
            1, 8, 13, 24, 55, 112, 238, 460, 931, 2_089, 3_840, 5_622, 8_820, 11_908, 22_560, 209_743,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "32, 10 to 99 jobs",
        batches: 1_080,
        sizes: &[SizeShare { size: 32, jobs: 20_521 }],
        lengths: [10.00, 11.00, 13.00, 16.00, 23.00, 31.79, 43.71, 63.58, 97.36],
        run_times_s: [1, 6, 7, 10, 19, 32, 50, 70, 114, 200, 433, 956, 2_295, 2_878, 8_153, 83_079],
        likeness: 0.30,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "32, 100 jobs or more",
        batches: 23,
        sizes: &[SizeShare { size: 32, jobs: 4_260 }],
        lengths: [100.00, 107.00, 119.00, 137.00, 200.00, 463.39, 504.95, 571.45, 571.45],
        run_times_s: [3, 5, 7, 9, 17, 29, 42, 60, 64, 120, 180, 245, 401, 1_834, 3_212, 8_591],
        likeness: 0.30,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "64, single jobs",
        batches: 8_189,
        sizes: &[SizeShare { size: 64, jobs: 8_189 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            1, 29, 59, 137, 897, 2_483, 3_890, 4_440, 4_930, 5_967, 7_567, 10_365, 11_842, 14_722, 23_804,
            214_799,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "64, 2 to 9 jobs",
        batches: 3_657,
        sizes: &[SizeShare { size: 64, jobs: 10_650 }],
        lengths: [2.00, 2.00, 2.00, 2.00, 4.00, 5.00, 7.00, 8.00, 9.00],
        run_times_s: [
            1, 13, 21, 33, 60, 114, 256, 461, 925, 1_800, 3_266, 4_908, 8_561, 11_692, 20_130, 203_620,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "64, 10 jobs or more",
        batches: 245,
        sizes: &[SizeShare { size: 64, jobs: 5_006 }],
        lengths: [10.00, 11.00, 13.00, 16.00, 23.00, 32.00, 48.00, 79.99, 199.98],
        run_times_s: [2, 11, 16, 22, 49, 68, 118, 165, 302, 684, 1_570, 2_248, 2_584, 3_324, 9_162, 49_462],
        likeness: 0.00,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "128, single jobs",
        batches: 7_477,
        sizes: &[SizeShare { size: 128, jobs: 7_477 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            3, 21, 59, 137, 722, 1_901, 3_508, 4_375, 5_824, 7_381, 9_613, 12_000, 14_193, 18_990, 27_848,
            166_741,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "128, 2 to 9 jobs",
        batches: 2_959,
        sizes: &[SizeShare { size: 128, jobs: 8_912 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 4.51, 6.31, 7.21, 8.12],
        run_times_s: [
            1, 10, 19, 37, 75, 145, 267, 452, 815, 1_501, 3_058, 4_338, 7_358, 11_055, 17_659, 150_089,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "128, 10 jobs or more",
        batches: 173,
        sizes: &[SizeShare { size: 128, jobs: 3_108 }],
        lengths: [10.00, 11.00, 13.00, 15.00, 20.00, 26.78, 31.73, 54.54, 188.42],
        run_times_s: [3, 10, 12, 16, 35, 60, 78, 119, 181, 344, 733, 1_846, 3_188, 3_468, 6_736, 14_169],
        likeness: 0.19,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "256, single jobs",
        batches: 5_686,
        sizes: &[SizeShare { size: 256, jobs: 5_686 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            3, 27, 95, 649, 2_992, 4_536, 6_094, 7_175, 8_299, 9_337, 10_155, 12_705, 16_295, 21_520, 33_744,
            162_560,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "256, 2 to 9 jobs",
        batches: 838,
        sizes: &[SizeShare { size: 256, jobs: 2_384 }],
        lengths: [2.00, 2.00, 2.00, 2.00, 4.00, 4.85, 5.82, 7.76, 8.73],
        run_times_s: [
            2, 11, 18, 27, 59, 92, 208, 501, 1_181, 2_065, 4_059, 8_114, 10_039, 13_302, 21_257, 75_820,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "256, 10 jobs or more",
        batches: 39,
        sizes: &[SizeShare { size: 256, jobs: 972 }],
        lengths: [10.00, 11.00, 13.00, 21.00, 28.00, 59.29, 77.44, 95.58, 112.52],
        run_times_s: [7, 13, 14, 16, 29, 46, 61, 102, 166, 303, 491, 527, 1_116, 2_912, 7_060, 21_531],
        likeness: 0.18,
        gaps: &GAPS_OF_MANY,
    },
    BatchClass {
        label: "512 and 1024, single jobs",
        batches: 3_357,
        sizes: &[SizeShare { size: 512, jobs: 3_352 }, SizeShare { size: 1_024, jobs: 5 }],
        lengths: [1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00, 1.00],
        run_times_s: [
            2, 25, 61, 229, 1_017, 2_529, 4_699, 6_585, 8_434, 10_933, 11_901, 16_073, 21_369, 23_714,
            49_604, 188_285,
        ],
        likeness: 1.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "512, 2 to 9 jobs",
        batches: 828,
        sizes: &[SizeShare { size: 512, jobs: 2_463 }],
        lengths: [2.00, 2.00, 2.00, 3.00, 4.00, 4.50, 5.40, 7.20, 8.10],
        run_times_s: [
            2, 11, 21, 30, 59, 104, 195, 391, 770, 1_427, 2_781, 7_454, 11_027, 18_202, 23_729, 128_556,
        ],
        likeness: 0.00,
        gaps: &GAPS_OF_FEW,
    },
    BatchClass {
        label: "512, 10 jobs or more",
        batches: 60,
        sizes: &[SizeShare { size: 512, jobs: 1_462 }],
        lengths: [10.00, 11.00, 15.00, 19.00, 32.00, 43.39, 50.45, 131.17, 139.25],
        run_times_s: [6, 18, 19, 19, 20, 23, 39, 70, 128, 198, 396, 1_383, 1_553, 2_902, 10_240, 80_637],
        likeness: 0.00,
        gaps: &GAPS_OF_MANY,
    },
];

const ESTIMATES: &[EstimateClass] = &[
    EstimateClass {
        below_s: 10,
        equal_share: 0.007,
        estimates_s: [60, 60, 300, 300, 300, 300, 300, 600, 3_599, 3_600, 3_600, 3_600],
    },
    EstimateClass {
        below_s: 60,
        equal_share: 0.180,
        estimates_s: [60, 60, 180, 300, 300, 300, 300, 300, 600, 1_800, 3_600, 10_800],
    },
    EstimateClass {
        below_s: 300,
        equal_share: 0.286,
        estimates_s: [300, 300, 300, 300, 300, 300, 600, 600, 1_200, 2_700, 3_600, 3_600],
    },
    EstimateClass {
        below_s: 600,
        equal_share: 0.437,
        estimates_s: [600, 600, 600, 900, 900, 1_740, 1_800, 2_400, 3_600, 3_600, 3_600, 10_800],
    },
    EstimateClass {
        below_s: 1_200,
        equal_share: 0.480,
        estimates_s: [900, 1_200, 1_500, 1_800, 1_800, 3_540, 3_600, 3_600, 3_600, 3_600, 3_600, 10_800],
    },
    EstimateClass {
        below_s: 1_800,
        equal_share: 0.424,
        estimates_s: [1_740, 1_800, 1_800, 1_800, 2_400, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 10_800],
    },
    EstimateClass {
        below_s: 3_600,
        equal_share: 0.351,
        estimates_s: [3_000, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 3_600, 10_800],
    },
    EstimateClass {
        below_s: 7_200,
        equal_share: 0.829,
        estimates_s: [
            7_200, 7_200, 10_500, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 21_600,
        ],
    },
    EstimateClass {
        below_s: 10_800,
        equal_share: 0.643,
        estimates_s: [
            9_000, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800, 14_400,
        ],
    },
    EstimateClass {
        below_s: 21_600,
        equal_share: 0.882,
        estimates_s: [
            13_200, 14_400, 14_400, 14_400, 18_000, 18_000, 21_000, 21_600, 21_600, 21_600, 21_600, 21_600,
        ],
    },
    EstimateClass {
        below_s: 43_200,
        equal_share: 0.999,
        estimates_s: [
            25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200, 25_200,
        ],
    },
    EstimateClass { below_s: 86_400, equal_share: 1.000, estimates_s: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    EstimateClass {
        below_s: u32::MAX,
        equal_share: 1.000,
        estimates_s: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    },
];

/// Field 10, else field 7. Nearly all jobs in partitions of 256 and more request all of the node.
const MEMORY: Memory = Memory { likeness: 0.81, classes: MEMORY_CLASSES };

const MEMORY_CLASSES: &[MemoryClass] = &[
    MemoryClass {
        up_to_size: 32,
        below_s: 600,
        amounts_kb: [
            664, 1_024, 1_024, 1_024, 1_024, 1_536, 1_760, 2_048, 2_752, 3_200, 3_200, 4_096, 4_480, 5_248,
            6_400, 8_192, 9_600, 11_840, 14_560, 16_384,
        ],
    },
    MemoryClass {
        up_to_size: 32,
        below_s: 10_801,
        amounts_kb: [
            960, 1_024, 1_280, 1_600, 2_048, 2_560, 3_136, 3_200, 3_456, 4_096, 4_192, 4_800, 6_400, 6_400,
            8_192, 8_192, 8_960, 11_840, 16_000, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 32,
        below_s: u32::MAX,
        amounts_kb: [
            1_024, 1_600, 2_112, 3_136, 3_456, 4_608, 5_120, 8_000, 9_600, 11_520, 16_000, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 64,
        below_s: 600,
        amounts_kb: [
            536, 1_024, 1_156, 1_600, 1_632, 2_068, 2_400, 2_400, 2_720, 3_200, 3_200, 4_000, 4_096, 4_800,
            6_232, 8_000, 8_000, 10_080, 12_288, 16_384,
        ],
    },
    MemoryClass {
        up_to_size: 64,
        below_s: 10_801,
        amounts_kb: [
            1_024, 1_600, 1_888, 1_920, 2_400, 2_720, 2_720, 2_720, 3_200, 4_000, 4_096, 4_800, 5_424, 7_520,
            8_192, 9_600, 11_200, 12_000, 16_384, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 64,
        below_s: u32::MAX,
        amounts_kb: [
            1_440, 2_560, 2_720, 3_680, 4_800, 4_800, 7_520, 8_000, 9_600, 16_384, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 128,
        below_s: 600,
        amounts_kb: [
            472, 1_024, 1_156, 1_584, 1_600, 1_760, 2_000, 2_160, 2_400, 2_800, 3_200, 4_000, 4_400, 4_800,
            7_200, 8_192, 10_400, 13_107, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 128,
        below_s: 10_801,
        amounts_kb: [
            1_024, 1_600, 1_760, 2_048, 2_400, 2_800, 3_120, 3_520, 4_000, 4_848, 5_904, 6_800, 8_000, 8_192,
            9_830, 11_468, 12_960, 13_926, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 128,
        below_s: u32::MAX,
        amounts_kb: [
            1_600, 2_000, 2_400, 2_800, 3_600, 4_480, 5_600, 6_144, 8_192, 10_649, 12_800, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 256,
        below_s: 600,
        amounts_kb: [
            232, 784, 1_188, 3_012, 16_384, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 256,
        below_s: 10_801,
        amounts_kb: [
            16_384, 16_384, 16_384, 16_384, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 256,
        below_s: u32::MAX,
        amounts_kb: [
            16_384, 16_384, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 1_024,
        below_s: 600,
        amounts_kb: [
            276, 1_932, 3_012, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 1_024,
        below_s: 10_801,
        amounts_kb: [
            2_264, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
    MemoryClass {
        up_to_size: 1_024,
        below_s: u32::MAX,
        amounts_kb: [
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
            32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768, 32_768,
        ],
    },
];
