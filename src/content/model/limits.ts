/** The bounds of the content engine. What passes one is reported as a problem of its file, never a crash or a hang. */

/** A Markdown file above this many bytes is not read; the largest seen in 34 public repositories has 620 KB. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Front matter above this many UTF-16 code units is not read. */
export const MAX_FRONT_MATTER_LENGTH = 64 * 1024;

/** References beyond this number are left out of a file. */
export const MAX_REFERENCES = 200_000;

/** Anchors beyond this number are left out of a file. */
export const MAX_ANCHORS = 100_000;

/** Named parts of its text that are known of a file. */
export const MAX_REGIONS = 1_000;

/** Files that one page takes into its text, however they include each other. */
export const MAX_PAGE_PARTS = 1_000;

/** Files that stand in each other's text this deep. */
export const MAX_PART_DEPTH = 10;

/** Markers of nested blocks (`>`, `-`, `1.`) at the start of one line. */
export const MAX_NESTING = 1_000;

/**
 * What one paragraph may cost: its length times its bare addresses, a character reference (`&amp;`) counting as
 * `CHARACTER_REFERENCE_COST` of them and an underscore as `UNDERSCORE_COST`. The parser copies the text around each once more; this is a second of work.
 */
export const MAX_PARAGRAPH_COST = 10_000_000_000;

/** A character reference is copied in memory that the parser keeps, so it weighs more than an address. */
export const CHARACTER_REFERENCE_COST = 200;

/** The parser looks back over the underscores before each. */
export const UNDERSCORE_COST = 4;

/**
 * Marks in a row inside an address that could also end its sentence (`https://a.b/……`, written with dots). The parser
 * asks of each whether the rest are such marks too, so a row costs its square.
 */
export const MAX_MARKS_IN_ADDRESS = 500;

/**
 * What the long lines of one file may cost that hold letters beyond ASCII: their lengths times their marks, as the parser
 * counts columns from the line's start for each. This is a second or two of work.
 */
export const MAX_LONG_LINES_COST = 4_000_000_000;

/** Shorter lines are not long. In UTF-16 code units. */
export const LONG_LINE_LENGTH = 10_000;

/** Nesting of a table of contents. */
export const MAX_CONTENTS_DEPTH = 64;

/** Text that is kept for one link, heading or title, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000;

/** A destination longer than this is no path. */
export const MAX_PATH_LENGTH = 4_096;

/** Symbolic links followed on the way to one file, as Linux counts them. */
export const MAX_SYMLINK_HOPS = 40;

/** Steps that the search for similar headings may take in one analysis; beyond them nothing is suggested. */
export const MAX_SUGGESTION_WORK = 20_000_000;

/** A builder's configuration file above this many bytes is not read. */
export const MAX_CONFIG_TEXT_BYTES = 1024 * 1024;
