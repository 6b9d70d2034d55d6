import { type Dialect, expandContainers, mdxIncludes } from '../../dialect/index.ts';
import { markdownPageReading, mdxReading } from './docusaurus-reading.ts';

const shared = { isPrepared: true, math: 'strict', hasEmojiNames: true, expand: expandContainers } as const;
const markdown: Dialect = { ...shared, reading: markdownPageReading };
const mdx: Dialect = { ...shared, reading: mdxReading, findIncludes: mdxIncludes, movesLinks: true };

export const docusaurusDialect = (key: string): Dialect => (key === markdown.reading.key ? markdown : mdx);
