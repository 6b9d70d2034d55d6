import { expect, test } from 'vitest';
import { windowsNameProblem } from '../../src/git/index.ts';

test.each([
  'CON',
  'con',
  'nul.md',
  'Aux.tar.gz',
  'COM1',
  'lpt9.txt',
  'com\u00b9',
  'a:b',
  'a\\b',
  'a\nb',
  'a\rb.md',
  'what?.md',
  'a*',
  '<a>',
  'a|b',
  '"a"',
  'end.',
  'end ',
])('%j cannot be on Windows', (name) => {
  expect(windowsNameProblem(name)).toMatch(/^"/);
});

test.each([
  'console.md',
  'com.md',
  'COM10',
  'a.con',
  'lpt',
  '.hidden',
  'a b',
  'überschrift.md',
  'a;b',
  "a'b",
])('%j can', (name) => {
  expect(windowsNameProblem(name)).toBeNull();
});
