/** The limits of the content engine. Whatever exceeds one is reported as a problem of its file, never a crash or a hang. */

/** A Markdown file above this many bytes is not read; the largest seen in 34 public repositories has 620 KB. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Front matter above this many UTF-16 code units is not read. */
export const MAX_FRONT_MATTER_LENGTH = 64 * 1024;

/** References beyond this number are left out of a file. */
export const MAX_REFERENCES = 200_000;

/** Anchors beyond this number are left out of a file. */
export const MAX_ANCHORS = 100_000;

/** Named regions beyond this number are left out of a file. */
export const MAX_REGIONS = 1_000;

/** Files that one page includes, directly or through each other. */
export const MAX_PAGE_PARTS = 1_000;

/** How deep files may include each other. */
export const MAX_PART_DEPTH = 10;

/** Markers of nested blocks (`>`, `-`, `1.`) at the start of one line. */
export const MAX_BLOCK_NESTING = 1_000;

/**
 * What parsing one paragraph may cost: its length times its bare addresses, where a character reference (`&amp;`) counts
 * as `CHARACTER_REFERENCE_COST` addresses and an underscore as `UNDERSCORE_COST`. The parser copies the surrounding text
 * for each of them; the limit is about a second of work.
 */
export const MAX_PARAGRAPH_COST = 10_000_000_000;

/** A character reference is copied into memory that the parser retains, so it costs more than an address. */
export const CHARACTER_REFERENCE_COST = 200;

/** The parser scans back over the preceding underscores for each underscore. */
export const UNDERSCORE_COST = 4;

/**
 * Consecutive punctuation marks inside an address that could also end its sentence (`https://a.b/……`, written with
 * dots). For each mark the parser checks whether the rest are such marks, too, so the cost is quadratic.
 */
export const MAX_MARKS_IN_ADDRESS = 500;

/**
 * What the long lines with non-ASCII letters of one file may cost: their lengths times their marks, because the parser
 * counts columns from the start of the line for each mark. The limit is a second or two of work.
 */
export const MAX_LONG_LINES_COST = 4_000_000_000;

/** The length from which a line counts as long, in UTF-16 code units. */
export const LONG_LINE_LENGTH = 10_000;

/** How deep a table of contents may nest. */
export const MAX_CONTENTS_DEPTH = 64;

/**
 * Entries of a table of contents beyond this number are left out: the navigation is computed at once, by the thread that
 * also answers readers. The largest seen in public repositories has 10,000.
 */
export const MAX_CONTENTS_ENTRIES = 20_000;

/** The stored text of one link, heading or title is cut at this length, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 1_000;

/** A longer destination is not treated as a path. */
export const MAX_PATH_LENGTH = 4_096;

/** Symbolic links followed on the way to one file, as Linux counts them. */
export const MAX_SYMLINK_HOPS = 40;

/** Steps that the search for suggestions may use in one analysis; beyond them nothing is suggested. */
export const MAX_SUGGESTION_WORK = 20_000_000;

/** A builder's configuration file above this many bytes is not read. */
export const MAX_CONFIG_TEXT_BYTES = 1024 * 1024;
