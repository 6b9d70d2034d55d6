import type { Dialect } from '../../dialect/index.ts';
import { mdbookIncludes } from './mdbook-includes.ts';
import { chapterReading } from './mdbook-reading.ts';

const dialect: Dialect = {
  reading: chapterReading,
  math: 'double',
  hasDefinitionLists: true,
  named: 'term',
  footnoteIds,
  findIncludes: mdbookIncludes,
};

/** The ids of a footnote (`1` or `footnote-1`) or of its references (`fr-1-2` for the second), of all releases. */
function footnoteIds(id: string): readonly string[] {
  if (id.startsWith('fn-')) return [id.slice(3), `footnote-${id.slice(3)}`];
  const [, label = '', count] = /^fnref-(.*?)(?:-(\d+))?$/.exec(id) ?? [];
  return count === undefined ? [`fr-${label}-1`] : [`fr-${label}-${count}`, `fr-${label}-${count}-1`];
}

export const mdbookDialect = (): Dialect => dialect;
