/** Limits for reading API descriptions. A description beyond one is refused with a message, so it can neither crash nor block the reader. */

/** All files of one description together, in bytes. The largest seen in public repositories have 14 MB. */
export const MAX_SPEC_BYTES = 30 * 1024 * 1024;

/** Files of one description; the largest seen in public repositories has 1,900. */
export const MAX_SPEC_FILES = 5_000;

/** Levels of nested values. */
export const MAX_SPEC_DEPTH = 400;

/** Values in one file, each counted as often as YAML aliases repeat it. */
export const MAX_SPEC_VALUES = 6_000_000;

/** The maximum number of reported problems. */
export const MAX_PROBLEMS = 50;

/**
 * What reading one description may take in a thread. The largest that was seen in public, 14 MB, takes 2 s and 0.5 GB;
 * 30 MB of YAML 15 s and 2 GB.
 */
export const SPEC_THREAD_LIMITS = { timeoutMs: 180_000, memoryMb: 3_072 };

/** Descriptions that the platform reads at the same time, and as many that the scheduler checks; further ones wait. */
export const MAX_SPEC_THREADS = 2;
