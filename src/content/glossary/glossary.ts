import type { Language } from '../text/index.ts';

/** A term with its translation, which is the term itself when it is not to be translated. */
export interface TermTranslation {
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

/** A problem of the file, for people. */
export interface GlossaryProblem {
  readonly message: string;
  /** Both from 1; the column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

/** The maximum number of terms in a file, and the maximum length of a term and of a translation in UTF-16 code units, as on the platform. */
export const MAX_TERMS = 1_000;
export const MAX_TERM_LENGTH = 200;
/** The maximum size of a file. */
export const MAX_GLOSSARY_BYTES = 1024 * 1024;

/** Returns the terms that have a translation into a language, or one for all languages. */
export function entriesFor({ terms }: Glossary, language: Language): readonly TermTranslation[] {
  return terms.flatMap(({ term, translations }) => {
    const translation = translations.get(language) ?? translations.get('*');
    return translation === undefined ? [] : [{ term, translation }];
  });
}
