import { expect, test } from 'vitest';
import { decodeSegment, fillSegment } from '../../../src/content/translation/index.ts';

const fill = (source: string, answer: string) => fillSegment(decodeSegment(source), answer);

test.each([
  ['https://evil.example/login'],
  ['HTTP://evil.example'],
  ['www.evil.example'],
  ['ada@evil.example'],
  ['mailto:ada@evil.example'],
  ['vscode://evil'],
  ['https://docs.example/other'],
])('an answer with the address %s, which its text does not have, is refused', (address) => {
  expect(fill('Read https://docs.example/guide first.', `Lies ${address} zuerst.`)).toEqual({
    refused: 'the answer contains an address that the text does not have',
  });
});

test.each([
  ['Read https://docs.example/guide first.', 'Lies zuerst https://docs.example/guide.'],
  ['Write to help@docs.example.', 'Schreib an HELP@docs.example!'],
  ['Read it first.', 'Lies es zuerst, z. B. um 10:30.'],
])('%s may become %s', (source, answer) => {
  expect(fill(source, answer)).toEqual({ text: answer });
});
