import type { Dialect } from '../dialect/index.ts';
import { markdownReading } from '../facts/index.ts';
import { type FormatRow, formats } from '../formats/index.ts';

/** Markdown as GitHub shows it. */
const github: Dialect = { reading: markdownReading, math: 'strict' };

/**
 * Returns the dialect of a page by the key of the reading with which its links were checked (`SpaceAnalysis.dialects`);
 * plain Markdown for an unknown key.
 */
export async function loadDialect(key: string): Promise<Dialect> {
  const name = /^[a-z]+/.exec(key)?.[0];
  const row: FormatRow | undefined = formats.find((format) => format.name === name);
  const find = await row?.loadDialect?.();
  return find?.(key) ?? github;
}
