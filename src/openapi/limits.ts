/** The bounds of reading API descriptions. What passes one is refused with a sentence, never a crash or a hang. */

/** All files of one description together, in bytes. The largest that were seen in public have 14 MB. */
export const MAX_SPEC_BYTES = 30 * 1024 * 1024;

/** Files of one description; the largest that was seen has 1,900. */
export const MAX_SPEC_FILES = 5_000;

/** Values inside one another. */
export const MAX_SPEC_DEPTH = 400;

/** Values of one file, each counted as often as YAML’s aliases repeat it. */
export const MAX_SPEC_VALUES = 6_000_000;

/** Problems that are told; more help nobody. */
export const MAX_PROBLEMS = 50;
