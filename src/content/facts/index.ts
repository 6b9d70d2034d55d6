export { type ConfigLink, createConfigReading } from './config-reading.ts';
export { createReading } from './create-reading.ts';
export { type FrontMatterLink, readFrontMatter } from './front-matter.ts';
export { guardSource } from './guard-source.ts';
export { githubHeadings, type HeadingNamer } from './heading-names.ts';
export { readJsxTag } from './jsx-tag.ts';
export { isLfsPointer } from './lfs-pointer.ts';
export { factsKey, markdownReading, readingKey, readingOfMarkdown } from './markdown-reading.ts';
export { muteMath } from './mute-math.ts';
export type { PageNode } from './page-tree.ts';
export { type ParseOptions, parseMarkdown } from './parse-markdown.ts';
export type {
  PageNotes,
  PreparedSource,
  ReadBytes,
  Reading,
  ReadingOptions,
} from './reading.ts';
export { scanHtml } from './scan-html.ts';
export { tooLargeFacts } from './unread-facts.ts';
export { UNREAD_MARK } from './unread-mark.ts';
