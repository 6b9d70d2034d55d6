import { describe, expect, test } from 'vitest';
import { directionOf } from '../../../src/sites/views/direction.ts';
import { OPERATION_LABELS, operationLabelsIn } from '../../../src/sites/views/operation-words/index.ts';
import { fill, LANGUAGES, preferredLanguage, wordsFor } from '../../../src/sites/views/words/index.ts';

describe.each([
  ['of the frame', LANGUAGES],
  ['of operations of APIs', OPERATION_LABELS],
])('the words %s', (_name, languages) => {
  const english = Object.entries<string>(languages['en'] as never);
  const placeholders = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

  test.each(Object.entries(languages))(
    '%s has every word, with the same values in it',
    (_language, words) => {
      expect(Object.keys(words).toSorted()).toEqual(english.map(([key]) => key).toSorted());
      for (const [key, sentence] of english) {
        const own: string = words[key as never];
        expect(own.trim(), key).toBe(own);
        expect(own, key).not.toBe('');
        expect(placeholders(own), key).toEqual(placeholders(sentence));
      }
    },
  );

  test('are in the languages of the frame', () => {
    expect(Object.keys(languages).toSorted()).toEqual(Object.keys(LANGUAGES).toSorted());
  });
});

describe('the words for a language', () => {
  test.each([
    ['de', 'de'],
    ['pt-BR', 'pt'],
    ['ZH-Hant', 'zh'],
    ['sv', 'en'],
    ['constructor', 'en'],
    ['', 'en'],
  ])('“%s” reads %s', (language, expected) => {
    expect(wordsFor(language)).toBe(LANGUAGES[expected]);
    expect(operationLabelsIn(language)).toBe(OPERATION_LABELS[expected]);
  });

  test('values are put where they belong, and never read themselves', () => {
    expect(fill('Pages under {title}', { title: '{count} $& {title}' })).toBe(
      'Pages under {count} $& {title}',
    );
    expect(fill('{unknown}', {})).toBe('{unknown}');
  });
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['sv, en;q=0.5, fr;q=0.7', 'fr'],
  ['*', 'en'],
  ['ja;q=0, ko;q=x, he', 'he'],
  ['constructor', 'en'],
  ['', 'en'],
])('who accepts “%s” reads %s', (accepted, expected) => {
  expect(preferredLanguage(accepted)).toBe(expected);
});

test.each([
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['fa', 'rtl'],
  ['az-Arab', 'rtl'],
  ['ar-Latn', 'ltr'],
  ['ja', 'ltr'],
  ['no language', 'ltr'],
  ['', 'ltr'],
])('“%s” is written %s', (language, expected) => {
  expect(directionOf(language)).toBe(expected);
});
