/** Text processing for search; separate from the engine's index, so that a command that only checks links does not load it. */

export { type MarkedText, markWords } from './mark-words.ts';
export { parseQuery, type SearchTerm } from './parse-query.ts';
export { type PageSection, readSections } from './read-sections.ts';
export { replaceEntities } from './replace-entities.ts';
export { foldText, indexText } from './search-words.ts';
export { typoCost } from './typo-cost.ts';
export { writeSnippet } from './write-snippet.ts';
