import { expect, test } from 'vitest';
import { limitIn, typeIn } from '../../../src/content/render/openapi/field-words.ts';
import { ENGLISH_OPERATION_WORDS } from '../../../src/content/render/openapi/operation-words.ts';
import { describeConstraints } from '../../../src/openapi/describe-constraints.ts';
import type { SchemaView } from '../../../src/openapi/schema-view.ts';
import { OPERATION_LABELS, operationLabelsIn } from '../../../src/sites/views/operation-words/index.ts';

const german = operationLabelsIn('de');

const KEYWORDS: readonly (readonly [fields: Readonly<Record<string, unknown>>, german: string])[] = [
  [{ const: 'a' }, 'immer a'],
  [{ enum: ['a', 'b'] }, 'eines von a, b'],
  [{ enum: Array.from({ length: 32 }, () => 'a') }, `eines von ${'a, '.repeat(29)}a und 2 weiteren`],
  [{ default: 'at least {value} items' }, 'Standardwert at least {value} items'],
  [{ minimum: 1 }, 'mindestens 1'],
  [{ exclusiveMinimum: 1 }, 'größer als 1'],
  [{ maximum: 1 }, 'höchstens 1'],
  [{ exclusiveMaximum: 1 }, 'kleiner als 1'],
  [{ multipleOf: 2 }, 'ein Vielfaches von 2'],
  [{ minLength: 1 }, 'mindestens 1 Zeichen'],
  [{ maxLength: 1 }, 'höchstens 1 Zeichen'],
  [{ pattern: '^default a is b\n$' }, 'Muster ^default a is b\n$'],
  [{ minItems: 1 }, 'mindestens 1 Elemente'],
  [{ maxItems: 1 }, 'höchstens 1 Elemente'],
  [{ uniqueItems: true }, 'kein Element doppelt'],
  [{ minProperties: 1 }, 'mindestens 1 Eigenschaften'],
  [{ maxProperties: 1 }, 'höchstens 1 Eigenschaften'],
  [{ readOnly: true }, 'nur lesbar'],
  [{ writeOnly: true }, 'nur schreibbar'],
  [{ example: 'a' }, 'Beispiel a'],
  [{ examples: ['a'] }, 'Beispiel a'],
];

test.each(KEYWORDS)('%j is “%s”', (fields, expected) => {
  const [limit = ''] = describeConstraints({ fields } as unknown as SchemaView);
  expect(limitIn(limit, german)).toBe(expected);
  expect(limitIn(limit, ENGLISH_OPERATION_WORDS)).toBe(limit);
});

test.each([
  ['kind is dog', 'kind ist dog'],
  ['says which form it is', 'sagt, welche Form es ist'],
  ['with the same properties again', 'wieder mit denselben Eigenschaften'],
  ['nothing of this kind', 'nothing of this kind'],
])('the note “%s” is “%s”', (note, expected) => {
  expect(limitIn(note, german)).toBe(expected);
});

test.each([
  ['string (date-time)', 'string (date-time)'],
  ['array of Pet or null', 'Array von Pet oder null'],
  ['Cat or array of map of anything', 'Cat oder Array von Map von beliebig'],
  ['integer or string or others', 'integer oder string oder andere'],
  ['Company', 'Company'],
])('the type “%s” is “%s”', (type, expected) => {
  expect(typeIn(type, german)).toBe(expected);
  expect(typeIn(type, ENGLISH_OPERATION_WORDS)).toBe(type);
});

test('only names are the same in every language', () => {
  for (const [language, words] of Object.entries(OPERATION_LABELS)) {
    if (language === 'en') continue;
    expect(limitIn('at least 5 characters', words)).not.toContain('least');
    expect(typeIn('array of Pet or null', words)).not.toMatch(/array of | or /);
  }
});
