import type { Reference } from '../model/index.ts';

/** The end of a link in code. */
const LINK = /\]\(<?([^()<>\s`]{1,300})>?\)/g;

/**
 * The destinations of links that the text also shows as code: `[name](Note.md)` beside what becomes of it is an example of how
 * links are written.
 */
export function exampleTargets(source: string, references: readonly Reference[]): readonly string[] {
  if (!source.includes('`') || !source.includes('](')) return [];
  const shown = new Set<string>();
  for (const line of source.split('\n')) {
    if (!line.includes('](') || !line.includes('`')) continue;
    const parts = line.split('`');
    for (let at = 1; at < parts.length; at += 2) {
      for (const [, target = ''] of parts[at]?.matchAll(LINK) ?? []) shown.add(target);
    }
  }
  if (shown.size === 0) return [];
  return [...new Set(references.map(({ target }) => target))].filter((target) => shown.has(target));
}
