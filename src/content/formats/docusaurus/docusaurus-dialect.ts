import { expandContainers } from '../../render/blocks/expand-containers.ts';
import type { Dialect } from '../../render/dialect.ts';
import { markdownPageReading, mdxReading } from './docusaurus-reading.ts';

const shared = { isPrepared: true, math: 'strict', expand: expandContainers } as const;
const markdown: Dialect = { ...shared, reading: markdownPageReading };
const mdx: Dialect = { ...shared, reading: mdxReading };

export const docusaurusDialect = (key: string): Dialect => (key === markdown.reading.key ? markdown : mdx);
