import { expandContainers } from '../../render/blocks/expand-containers.ts';
import type { Dialect } from '../../render/dialect.ts';
import { mdxIncludes } from '../../render/included/mdx-includes.ts';
import { markdownPageReading, mdxReading } from './docusaurus-reading.ts';

const shared = { isPrepared: true, math: 'strict', expand: expandContainers } as const;
const markdown: Dialect = { ...shared, reading: markdownPageReading };
const mdx: Dialect = { ...shared, reading: mdxReading, findIncludes: mdxIncludes, movesLinks: true };

export const docusaurusDialect = (key: string): Dialect => (key === markdown.reading.key ? markdown : mdx);
