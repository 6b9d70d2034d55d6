import type { Language } from '../text/index.ts';

/** A term with its translation; the term itself where it stays. */
export interface GlossaryEntry {
  readonly term: string;
  readonly translation: string;
}

/** The terms of a file, in its order. */
export interface Glossary {
  readonly terms: readonly GlossaryTerm[];
}

export interface GlossaryTerm {
  readonly term: string;
  /** By language; `*` is for all that are not named. */
  readonly translations: ReadonlyMap<Language | '*', string>;
}

/** One mistake in the file, for people. */
export interface GlossaryProblem {
  readonly message: string;
  /** Both from 1; the column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

/** The most terms of a file, and the most UTF-16 code units of a term and of a translation: what the platform takes. */
export const MAX_TERMS = 1_000;
export const MAX_TERM_LENGTH = 200;
/** The most bytes of a file. */
export const MAX_GLOSSARY_BYTES = 1024 * 1024;

/** What of a glossary is for one language. */
export function entriesFor({ terms }: Glossary, language: Language): readonly GlossaryEntry[] {
  return terms.flatMap(({ term, translations }) => {
    const translation = translations.get(language) ?? translations.get('*');
    return translation === undefined ? [] : [{ term, translation }];
  });
}
