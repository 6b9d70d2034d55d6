import type { StoredGlossaryEntry } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';

/** A glossary of a request, as it is stored. Throws a 400 that names the field where a term is there twice. */
export function readGlossaryInput(glossary: readonly StoredGlossaryEntry[]): StoredGlossaryEntry[] {
  const seen = new Map<string, number>();
  return glossary.map((entry, at) => {
    const term = entry.term.trim();
    const before = seen.get(term.toLowerCase());
    if (before !== undefined)
      throw invalid(
        `/body/glossary/${at}/term`,
        `is the same term as glossary.${before}, since terms match regardless of case; remove one of them`,
      );
    seen.set(term.toLowerCase(), at);
    return { term, translation: entry.translation.trim() };
  });
}
