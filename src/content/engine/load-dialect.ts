import type { Dialect } from '../dialect/index.ts';
import { contentsReading, markdownReading } from '../facts/index.ts';
import { type FormatRow, formats } from '../formats/index.ts';
import type { Reading } from '../parse/index.ts';

/** Markdown as GitHub shows it. */
const github: Dialect = { reading: markdownReading, math: 'strict', hasEmojiNames: true };

/**
 * Returns the dialect of a page by the key of the reading with which its links were checked (`SpaceAnalysis.dialects`);
 * plain Markdown for an unknown key.
 */
export async function loadDialect(key: string): Promise<Dialect> {
  const find = await rowOf(key)?.loadDialect?.();
  return find?.(key) ?? github;
}

/** Returns the reading that has this key; null for none. */
export async function findReading(key: string): Promise<Reading | null> {
  const { reading } = await loadDialect(key);
  const others = (await rowOf(key)?.loadReadings?.()) ?? [contentsReading];
  return [reading, ...others].find((candidate) => candidate.key === key) ?? null;
}

function rowOf(key: string): FormatRow | undefined {
  const name = /^[a-z]+/.exec(key)?.[0];
  return formats.find((format) => format.name === name);
}
