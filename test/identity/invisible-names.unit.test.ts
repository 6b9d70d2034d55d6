import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { Title } from '../../src/contract/scalars.ts';
import { isInvisible } from '../../src/identity/account-input.ts';

const title = Compile(Title);
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u;

test('the API and the forms of accounts take the same characters for invisible', () => {
  const disagreed: string[] = [];
  for (let code = 0; code <= 0x10_ff_ff; code++) {
    const character = String.fromCodePoint(code);
    if (!character.isWellFormed() || !ONE_LINE.test(character)) continue;
    if (title.Check(character) === isInvisible(character)) disagreed.push(code.toString(16));
  }
  expect(disagreed).toEqual([]);
});
