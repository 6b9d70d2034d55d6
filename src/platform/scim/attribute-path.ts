import { ScimError } from './scim-error.ts';

/** One comparison of a filter: the attribute equals the value. */
export interface ScimComparison {
  /** In lower case, such as `emails.value`. */
  readonly attribute: string;
  readonly value: string | boolean;
}

/** What a path names: an attribute, of one that has several values those that a filter picks, and a part of it. */
export interface AttributePath {
  /** In lower case. */
  readonly attribute: string;
  readonly filter: ScimComparison | null;
  readonly part: string | null;
}

/** The longest filter or path, in characters. */
const MAX_LENGTH = 1_000;

const CORE = ['urn:ietf:params:scim:schemas:core:2.0:user:', 'urn:ietf:params:scim:schemas:core:2.0:group:'];

/**
 * Reads a filter in the form in which identity providers look for what they know: comparisons with `eq`, joined by `and`.
 *
 * @throws ScimError `invalidFilter` for every other one
 */
export function parseScimFilter(text: string): readonly ScimComparison[] {
  const reader = new Reader(text, 'invalidFilter');
  const comparisons = [];
  do {
    const { attribute, part } = reader.path();
    comparisons.push({
      attribute: part === null ? attribute : `${attribute}.${part}`,
      value: reader.comparedValue(),
    });
  } while (reader.takesWord('and'));
  reader.end();
  return comparisons;
}

/**
 * Reads the path of a PATCH operation (RFC 7644, 3.5.2): `name.givenName`, `members[value eq "…"]` or
 * `emails[type eq "work"].value`, with or without the URN of the core schema.
 *
 * @throws ScimError `invalidPath`
 */
export function parseAttributePath(text: string): AttributePath {
  const reader = new Reader(text, 'invalidPath');
  const path = reader.path();
  reader.end();
  return path;
}

/** Reads from left to right, each character once, so that no text takes long. */
class Reader {
  readonly #text: string;
  readonly #problem: 'invalidFilter' | 'invalidPath';
  #at = 0;

  constructor(text: string, problem: 'invalidFilter' | 'invalidPath') {
    this.#text = text;
    this.#problem = problem;
    if (text.length > MAX_LENGTH) throw this.#refusal(`is longer than ${MAX_LENGTH} characters`);
  }

  path(): AttributePath {
    this.#skipSpaces();
    const name = withoutSchema(this.#name().toLowerCase());
    // The names of attributes of other schemas have dots in their URN.
    const dot = name.startsWith('urn:') ? -1 : name.indexOf('.');
    const attribute = dot === -1 ? name : name.slice(0, dot);
    if (!this.#takes('[')) return { attribute, filter: null, part: dot === -1 ? null : name.slice(dot + 1) };
    if (dot !== -1) throw this.#refusal('has a filter at a part of an attribute');
    this.#skipSpaces();
    const filter = { attribute: this.#name().toLowerCase(), value: this.comparedValue() };
    this.#skipSpaces();
    if (!this.#takes(']')) throw this.#refusal('has a [ without its ], or more than one comparison in it');
    return { attribute, filter, part: this.#takes('.') ? this.#name().toLowerCase() : null };
  }

  comparedValue(): string | boolean {
    if (!this.takesWord('eq')) throw this.#refusal('may compare with eq only');
    this.#skipSpaces();
    if (this.#text[this.#at] === '"') return this.#string();
    const word = this.#name().toLowerCase();
    if (word !== 'true' && word !== 'false')
      throw this.#refusal('compares with a value that is neither in quotes nor true or false');
    return word === 'true';
  }

  /** Whether the next word is this one, in any letter case; it is then read. */
  takesWord(word: string): boolean {
    this.#skipSpaces();
    const end = this.#at + word.length;
    if (this.#text.slice(this.#at, end).toLowerCase() !== word || isNameCharacter(this.#text.charCodeAt(end)))
      return false;
    this.#at = end;
    return true;
  }

  end(): void {
    this.#skipSpaces();
    if (this.#at < this.#text.length)
      throw this.#refusal(`is not understood from its character ${this.#at + 1} on`);
  }

  #name(): string {
    const start = this.#at;
    while (isNameCharacter(this.#text.charCodeAt(this.#at))) this.#at += 1;
    if (this.#at === start) throw this.#refusal(`has no name at its character ${start + 1}`);
    return this.#text.slice(start, this.#at);
  }

  /** Written as in JSON. */
  #string(): string {
    const start = this.#at;
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at += 1;
    const text = parseJsonText(this.#text.slice(start, this.#at));
    if (text === null)
      throw this.#refusal('has a text without its closing quote, or with something that JSON does not allow');
    // The database has no such texts, so nothing can equal one.
    if (text.includes('\0') || !text.isWellFormed())
      throw this.#refusal('has a text with a character that is none');
    return text;
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #refusal(what: string): ScimError {
    const [subject, example] =
      this.#problem === 'invalidFilter'
        ? ['The filter', 'userName eq "grace@example.com"']
        : ['The path of an operation', 'emails[type eq "work"].value'];
    return new ScimError(400, this.#problem, `${subject} ${what}; write it like ${example}.`);
  }
}

function parseJsonText(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

function withoutSchema(name: string): string {
  const schema = CORE.find((prefix) => name.startsWith(prefix));
  return schema === undefined ? name : name.slice(schema.length);
}

/** Letters, digits, and `$ - . : _`; not for the NaN after the end. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 58) ||
    code === 36 ||
    code === 45 ||
    code === 46 ||
    code === 95
  );
}
