import { describe, expect, test } from 'vitest';
import { checkSentences } from '../../../src/platform/models/check-sentences.ts';

const texts = [
  'Cats\nA cat gets 200 grams of wet food in the evening. It drinks water.',
  'Passports\nA dog needs a passport, from pets.example or a vet; see https://pets.example/passports.',
];
const one = (text: string, cites = [0]) => checkSentences([{ text, cites }], texts);

test.each([
  ['what a section says in other forms of its words', 'Cats get 200 grams of wet food every evening.', [0]],
  ['what two sections say together', 'A cat gets wet food, and a dog needs a passport.', [0, 1]],
  ['a host that the section names', 'A dog needs a passport from pets.example.', [1]],
])('%s may be said', (_what, text, cites) => {
  expect(one(text, cites)).toBe(true);
});

test.each([
  ['what no section says', 'Elephants weigh several tons and travel by ship.', [0]],
  ['what another section says', 'A dog needs a passport.', [0]],
  ['another number', 'A cat gets 900 grams of wet food in the evening.', [0]],
  ['a section that was not given', 'A cat gets 200 grams of wet food.', [7]],
  ['nothing that is cited', 'A cat gets 200 grams of wet food.', []],
  ['an address, even of the section', 'A dog needs a passport, see https://pets.example/passports.', [1]],
  ['a foreign address', 'A cat gets 200 grams of wet food, see https://evil.example/wet.', [0]],
  ['a foreign address without a scheme', 'A cat gets 200 grams of wet food from evil.com.', [0]],
  ['a link', 'A cat gets 200 grams of [wet food](food).', [0]],
  ['markup', 'A cat gets 200 grams of <b>wet food</b>.', [0]],
  ['no words', '…', [0]],
])('%s is refused', (_what, text, cites) => {
  expect(one(text, cites)).toBe(false);
});

test('one wrong sentence refuses all', () => {
  const right = { text: 'A cat drinks water.', cites: [0] };
  expect(checkSentences([right, { text: 'Elephants weigh several tons.', cites: [0] }], texts)).toBe(false);
  expect(checkSentences([right], texts)).toBe(true);
});

test.each([
  [
    '猫は夕方に餌を200グラムもらいます。',
    '猫は毎日、夕方に餌を200グラムもらいます。',
    '犬は旅券が必要です。',
  ],
  ['猫每天晚上得到200克湿粮。', '猫晚上得到200克湿粮。', '狗过境需要护照和疫苗。'],
  [
    '고양이는 저녁에 사료를 200그램 먹는다.',
    '고양이가 저녁에 사료 200그램을 먹습니다.',
    '개는 여권이 필요합니다.',
  ],
])('what a text says in a script of its own: %s', (text, same, other) => {
  expect(checkSentences([{ text: same, cites: [0] }], [text])).toBe(true);
  expect(checkSentences([{ text: other, cites: [0] }], [text])).toBe(false);
  expect(checkSentences([{ text: same.replace('200', '900'), cites: [0] }], [text])).toBe(false);
});

describe('a sentence that says the contrary is refused', () => {
  const faq = 'Questions\nDoes Lantern change my files?\nNo. It opens them for reading only.';
  const cache =
    'Cache\nThe cache is disabled by default. It takes 64 megabytes.\nThe log listens at port 514.';
  const install = 'Install\nDocker\nLantern does not need a database. It can run in a container.';
  test.each([
    ['Lantern changes my files.', faq],
    ['Lantern needs a database.', install],
    ['Lantern cannot run in a container.', install],
    ['Lantern can’t run in a container.', install],
    ['The cache is enabled by default.', cache],
    ['Der Cache ist deaktiviert.', 'Der Cache ist aktiviert.'],
    ['Lantern braucht eine Datenbank.', 'Lantern braucht keine Datenbank.'],
    ['Lantern не нужна база данных.', 'Lantern нужна база данных.'],
  ])('%s', (sentence, text) => {
    expect(checkSentences([{ text: sentence, cites: [0] }], [text])).toBe(false);
  });

  test.each([
    ['It opens them for reading only.', faq],
    ['Lantern does not need a database.', install],
    ['No database is needed for Lantern.', install],
    ['By default, the cache is disabled and takes 64 megabytes.', cache],
    ['The log is at port 514, and the cache takes 64 megabytes.', cache],
    ['It can run in a container.', install],
    ['Lantern braucht keine Datenbank.', 'Lantern braucht keine Datenbank.'],
  ])('and one that says it is not: %s', (sentence, text) => {
    expect(checkSentences([{ text: sentence, cites: [0] }], [text])).toBe(true);
  });
});
