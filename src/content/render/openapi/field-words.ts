import { ENGLISH_OPERATION_WORDS, fillWord, type OperationWords } from './operation-words.ts';

/** In the order in which they are tried: what begins like another one comes before it. */
const LIMITS = [
  'always',
  'someOfValues',
  'oneOfValues',
  'default',
  'minLength',
  'minItems',
  'minProperties',
  'atLeast',
  'above',
  'maxLength',
  'maxItems',
  'maxProperties',
  'atMost',
  'below',
  'multipleOf',
  'pattern',
  'uniqueItems',
  'readOnly',
  'writeOnly',
  'exampleValue',
  'saysForm',
  'sameAgain',
  'whereValue',
] as const satisfies readonly (keyof OperationWords)[];

const PATTERNS = LIMITS.map((name) => [name, patternOf(ENGLISH_OPERATION_WORDS[name])] as const);

/** A limit of a value in another language. Views of operations are stored with their phrases in English. */
export function limitIn(limit: string, words: OperationWords): string {
  for (const [name, pattern] of PATTERNS) {
    const found = pattern.exec(limit);
    if (found !== null) return fillWord(words[name], found.groups ?? {});
  }
  return limit;
}

/** A type in another language; the names of types stay those of the specification. */
export function typeIn(type: string, words: OperationWords): string {
  for (const name of ['arrayOf', 'mapOf'] as const) {
    const [before = ''] = ENGLISH_OPERATION_WORDS[name].split('{');
    if (type.startsWith(before))
      return fillWord(words[name], { type: typeIn(type.slice(before.length), words) });
  }
  const [first = '', ...others] = type.split(OR);
  const own = NAMES.find((name) => ENGLISH_OPERATION_WORDS[name] === first);
  const shown = own === undefined ? first : words[own];
  return others.length === 0 ? shown : `${shown} ${words.or} ${typeIn(others.join(OR), words)}`;
}

const OR = ` ${ENGLISH_OPERATION_WORDS.or} `;
const NAMES = ['others', 'anything', 'any'] as const;

function patternOf(phrase: string): RegExp {
  return new RegExp(`^${phrase.replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');
}
