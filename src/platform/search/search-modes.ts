import type { SearchTerm } from '../../content/search/index.ts';
import type { TextSearch } from '../../store/index.ts';

export type SearchMode = TextSearch['mode'];

/** Fewer letters than this occur inside too many words. */
const MIN_INSIDE = 3;

/** The search modes for these terms, the strictest first; each is used if the stricter ones find nothing. */
export function modesFor(terms: readonly SearchTerm[]): readonly ['all', ...SearchMode[]] {
  const included = terms.filter((term) => !term.isExcluded);
  const isLong = included.every(({ text }) => text !== null && text.length >= MIN_INSIDE);
  return [
    'all',
    ...(included.length > 1 ? (['any'] as const) : []),
    ...(included.length > 0 && isLong ? (['inside'] as const) : []),
  ];
}

/** The results of the first of some modes that finds anything; else those of the last. */
export async function searchInModes<Found extends { readonly count: number }>(
  terms: readonly SearchTerm[],
  modes: readonly SearchMode[],
  run: (search: TextSearch) => Promise<Found>,
): Promise<{ readonly search: TextSearch; readonly found: Found }> {
  for (const mode of modes.slice(0, -1)) {
    const found = await run({ terms, mode });
    if (found.count > 0) return { search: { terms, mode }, found };
  }
  const search: TextSearch = { terms, mode: modes.at(-1) ?? 'all' };
  return { search, found: await run(search) };
}
