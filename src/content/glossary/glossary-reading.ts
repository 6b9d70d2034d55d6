import { type Language, readLanguage } from '../text/index.ts';
import { type GlossaryProblem, type GlossaryTerm, MAX_TERM_LENGTH, MAX_TERMS } from './glossary.ts';

/** A piece of the file with its place. */
export interface PositionedText {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** More help nobody. */
const MAX_PROBLEMS = 50;

/** Gathers terms, and every mistake with its place. What a form of file reads goes through here. */
export class GlossaryReading {
  readonly problems: GlossaryProblem[] = [];
  readonly terms: GlossaryTerm[] = [];
  readonly #seen = new Map<string, number>();

  refuse({ line, column }: Pick<PositionedText, 'line' | 'column'>, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ message, line, column });
  }

  /** The platform's name of a language; null for one that is refused. */
  language(said: PositionedText): Language | '*' | null {
    if (said.text.trim() === '*') return '*';
    const read = readLanguage(said.text);
    if ('language' in read) return read.language;
    this.refuse(said, read.problem);
    return null;
  }

  /** Keeps a term; what is empty of its translations is none. */
  add(
    term: PositionedText,
    translations: readonly (readonly [language: Language | '*', said: PositionedText])[],
  ): void {
    const name = this.#read(term, 'The term');
    const read = new Map<Language | '*', string>();
    for (const [language, said] of translations) {
      if (said.text.trim() === '') continue;
      if (read.has(language))
        this.refuse(said, `\`${name}\` has two translations into \`${language}\`. Keep one.`);
      read.set(language, this.#read(said, 'The translation'));
    }
    const before = this.#seen.get(name.toLowerCase());
    if (name === '') this.refuse(term, 'The term is empty. Write the word that is to be translated.');
    else if (before !== undefined)
      this.refuse(term, `\`${name}\` stands in line ${before} already. Keep one.`);
    else if (this.terms.length === MAX_TERMS)
      this.refuse(term, `A glossary has at most ${MAX_TERMS} terms. Take some away.`);
    else {
      this.#seen.set(name.toLowerCase(), term.line);
      this.terms.push({ term: name, translations: read });
    }
  }

  #read(said: PositionedText, what: string): string {
    const text = said.text.trim();
    if (/\p{Cc}/u.test(text)) this.refuse(said, `${what} holds control characters, such as a line end.`);
    if (text.length > MAX_TERM_LENGTH)
      this.refuse(said, `${what} is longer than ${MAX_TERM_LENGTH} characters. Shorten it.`);
    return text;
  }
}
