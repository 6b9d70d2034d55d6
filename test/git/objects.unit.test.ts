import { expect, test } from 'vitest';
import { parseCommit } from '../../src/git/objects.ts';
import { processorTime } from '../support/processor-time.ts';

test('the author of a commit is read in linear time, with or without what belongs to the line', async () => {
  const authorOf = (line: string) => {
    const text = `tree ${'0'.repeat(40)}\nauthor ${line}\ncommitter c <d> 2 +0000\n\nA\n`;
    return parseCommit({ oid: '1'.repeat(40), type: 'commit', bytes: Buffer.from(text) }).author;
  };
  expect(authorOf('A B <a@b.c> 1700000000 +0100')).toEqual({
    name: 'A B',
    email: 'a@b.c',
    at: new Date(1_700_000_000_000),
  });
  expect(authorOf('A<a@b.c>')).toEqual({ name: 'A', email: 'a@b.c', at: new Date(0) });
  expect(authorOf('A')).toEqual({ name: '', email: '', at: new Date(0) });
  expect(await processorTime(() => authorOf(` <${'<'.repeat(100_000)}`))).toBeLessThan(1_500);
});
