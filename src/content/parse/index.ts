/** Reads pages: Markdown, HTML, front matter. It loads the parsers, so checks import it only when there is a page to read. */

export { type FrontMatterLink, readFrontMatter } from './front-matter.ts';
export { COSTLY_CODE, isCostlyMdx } from './guard-mdx.ts';
export { guardSource } from './guard-source.ts';
export { readJsxTag } from './jsx-tag.ts';
export type { PageNode } from './page-tree.ts';
export { type ParseOptions, parseMarkdown } from './parse-markdown.ts';
export { readPage } from './read-page.ts';
export type { PageRecorder, PreparedSource, ReadBytes, Reading, ReadingOptions } from './reading.ts';
export { scanHtml } from './scan-html.ts';
export { splitSrcset } from './split-srcset.ts';
