export {
  checkedAmong,
  type DeclaredSpace,
  type DetectedSpace,
  type SpaceRole,
  siblingsOf,
  spacesAmong,
} from './detected-space.ts';
export type * from './file-facts.ts';
export { type FormatName, formatNames } from './format-name.ts';
export { knownRules, warningRules } from './known-rules.ts';
export {
  CHARACTER_REFERENCE_COST,
  LONG_LINE_LENGTH,
  MAX_ANCHORS,
  MAX_BLOCK_NESTING,
  MAX_CONFIG_TEXT_BYTES,
  MAX_CONTENTS_DEPTH,
  MAX_CONTENTS_ENTRIES,
  MAX_FRONT_MATTER_LENGTH,
  MAX_LONG_LINES_COST,
  MAX_MARKS_IN_ADDRESS,
  MAX_PAGE_BYTES,
  MAX_PAGE_PARTS,
  MAX_PARAGRAPH_COST,
  MAX_PART_DEPTH,
  MAX_PATH_LENGTH,
  MAX_REFERENCES,
  MAX_REGIONS,
  MAX_SUGGESTION_WORK,
  MAX_SYMLINK_HOPS,
  MAX_TEXT_LENGTH,
  UNDERSCORE_COST,
} from './limits.ts';
export type * from './link.ts';
export type * from './page.ts';
export type * from './space-analysis.ts';
export type * from './tree-entry.ts';
export { emptyFacts, pointerFacts, tooLargeFacts, unreadFacts } from './unread-facts.ts';
