import { type Dialect, expandContainers, mdxIncludes } from '../../dialect/index.ts';
import { readStarlightHero } from './starlight-hero.ts';
import { starlightReading } from './starlight-reading.ts';

const dialects: readonly Dialect[] = ['page.md', 'page.mdx', 'page.mdoc'].map((path) => ({
  reading: starlightReading(path),
  math: 'strict',
  readHero: readStarlightHero,
  expand: expandContainers,
  findIncludes: mdxIncludes,
  movesLinks: true,
}));

export const starlightDialect = (key: string): Dialect | null =>
  dialects.find(({ reading }) => reading.key === key) ?? dialects[0] ?? null;
