export { compileGlob } from './compile-glob.ts';
export { decodePercent } from './decode-percent.ts';
export { decodeText, isLfsPointer } from './decode-text.ts';
export { escapeMarkdown } from './escape-markdown.ts';
export {
  applyEdits,
  type EntriesEdit,
  type FileEdit,
  firstOfEachFile,
  type Replacement,
} from './file-edit.ts';
export { githubHeadings, type HeadingNamer } from './heading-names.ts';
export { IndentedCode } from './indented-code.ts';
export { knownLanguages, type Language, languageOf, readLanguage } from './language.ts';
export { LineFence, skipFrontMatter } from './line-fence.ts';
export { LineIndex, type LinePosition } from './line-index.ts';
export { matchesWildcards } from './match-wildcards.ts';
export { compareNaturally } from './natural-order.ts';
export { hintAt, nearestWord } from './nearest-word.ts';
export { wordCost } from './similar-word.ts';
export { UNREAD_MARK } from './unread-mark.ts';
