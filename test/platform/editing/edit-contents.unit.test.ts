import { expect, test } from 'vitest';
import { addContentsGroup, addToContents } from '../../../src/platform/editing/edit-contents.ts';

const text =
  '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Deep](part/deep.md)\n\n## More\n\n- [Last](<a b.md>)\n';
const entry = { contents: 'SUMMARY.md', path: 'new.md', title: 'New', after: null };

test.each([
  ['after a page', { ...entry, after: 'README.md' }, '* [Home](README.md)\n* [New](new.md)\n* [Guide]'],
  [
    'after a page with pages below it',
    { ...entry, after: 'guide.md' },
    '(part/deep.md)\n* [New](new.md)\n\n## More',
  ],
  [
    'below, after a page that is there',
    { ...entry, after: 'part/deep.md' },
    '(part/deep.md)\n  * [New](new.md)\n\n',
  ],
  ['at the end, with the bullet of the last entry', entry, '(<a b.md>)\n- [New](new.md)\n'],
  [
    'with a title and a name that need escapes',
    { ...entry, path: 'a b.md', title: 'A [b]' },
    '- [A \\[b\\]](a%20b.md)\n',
  ],
])('a page is listed %s', (_name, own, expected) => {
  const after = addToContents(text, own);
  expect(after).toContain(expected);
  const added = after.split('\n').filter((line) => !text.split('\n').includes(line));
  expect(
    after
      .split('\n')
      .filter((line) => !added.includes(line))
      .join('\n'),
  ).toBe(text);
});

test('line ends are those of the table of contents', () => {
  expect(addToContents('* [A](a.md)\r\n* [B](b.md)', entry)).toBe(
    '* [A](a.md)\r\n* [B](b.md)\r\n* [New](new.md)',
  );
  expect(addToContents('', entry)).toBe('* [New](new.md)\n');
  expect(addContentsGroup('* [A](a.md)\r\n', 'Part  two')).toBe('* [A](a.md)\r\n\r\n## Part two\r\n');
});
