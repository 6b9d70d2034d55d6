import { type Language, readLanguage } from '../text/index.ts';
import { type GlossaryProblem, type GlossaryTerm, MAX_TERM_LENGTH, MAX_TERMS } from './glossary.ts';

/** A piece of the file with its position. */
export interface PositionedText {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Further problems are not reported. */
const MAX_PROBLEMS = 50;

/** Collects the terms of a glossary file, and every problem with its position. Both file types use it. */
export class GlossaryReading {
  readonly problems: GlossaryProblem[] = [];
  readonly terms: GlossaryTerm[] = [];
  readonly #seen = new Map<string, number>();

  report({ line, column }: Pick<PositionedText, 'line' | 'column'>, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ message, line, column });
  }

  /** Returns the platform's name of a language; null, and a problem, when it is not known. */
  language(tag: PositionedText): Language | '*' | null {
    if (tag.text.trim() === '*') return '*';
    const read = readLanguage(tag.text);
    if ('language' in read) return read.language;
    this.report(tag, read.problem);
    return null;
  }

  /** Adds a term. Empty translations are left out. */
  add(
    term: PositionedText,
    translations: readonly (readonly [language: Language | '*', translation: PositionedText])[],
  ): void {
    const name = this.#read(term, 'The term');
    const read = new Map<Language | '*', string>();
    for (const [language, translation] of translations) {
      if (showsNothing(translation.text)) continue;
      if (read.has(language))
        this.report(
          translation,
          `\`${name}\` has two translations into \`${language}\`. Remove one of them.`,
        );
      read.set(language, this.#read(translation, 'The translation'));
    }
    const before = this.#seen.get(name.toLowerCase());
    if (showsNothing(name)) this.report(term, 'The term is empty. Write the word that is to be translated.');
    else if (before !== undefined)
      this.report(term, `\`${name}\` is already in line ${before}. Remove one of them.`);
    else if (this.terms.length === MAX_TERMS)
      this.report(term, `A glossary has at most ${MAX_TERMS} terms. Remove some.`);
    else {
      this.#seen.set(name.toLowerCase(), term.line);
      this.terms.push({ term: name, translations: read });
    }
  }

  #read(written: PositionedText, what: string): string {
    const text = written.text.trim();
    if (/[\p{Cc}\u2028\u2029]/u.test(text))
      this.report(written, `${what} contains control characters, such as a line break. Remove them.`);
    if (text.length > MAX_TERM_LENGTH)
      this.report(written, `${what} is longer than ${MAX_TERM_LENGTH} characters. Shorten it.`);
    return text;
  }
}

/** Whether a text has only spaces and signs without a shape, which the platform refuses as a term. */
function showsNothing(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}
