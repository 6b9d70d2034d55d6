import { expect, test } from 'vitest';
import { linkMarkdown } from '../../src/sites/content/link-markdown.ts';
import { processorTime } from '../support/processor-time.ts';

const addresses: Readonly<Record<string, string>> = { 'a.md': '/s/a.md', '../b.png': '/s/b.png' };
const linked = (markdown: string) => linkMarkdown(markdown, (target) => addresses[target] ?? null);

test.each([
  [
    'links and pictures',
    '[A](a.md) ![B](../b.png "Title") [C](c.md)',
    '[A](/s/a.md) ![B](/s/b.png "Title") [C](c.md)',
  ],
  ['in angle brackets', '[A](<a.md>)', '[A](</s/a.md>)'],
  ['a definition', '[a]: a.md', '[a]: /s/a.md'],
  [
    'elements and blocks',
    '<a href="a.md"> <img src=\'../b.png\'> {% ref url="a.md" %}',
    '<a href="/s/a.md"> <img src=\'/s/b.png\'> {% ref url="a.md" %}'.replace('url="a.md"', 'url="/s/a.md"'),
  ],
  ['code in a line', '`[A](a.md)` and ``[A](a.md)`` [A](a.md)', '`[A](a.md)` and ``[A](a.md)`` [A](/s/a.md)'],
  ['code in a block', '```md\n[A](a.md)\n```\n[A](a.md)', '```md\n[A](a.md)\n```\n[A](/s/a.md)'],
  ['code in a list', '- ~~~\n  [A](a.md)\n  ~~~\n\n[A](a.md)', '- ~~~\n  [A](a.md)\n  ~~~\n\n[A](/s/a.md)'],
  [
    'code by its indent',
    'Text\n\n    [A](a.md)\n\n\t[A](a.md)\n\n[A](a.md)',
    'Text\n\n    [A](a.md)\n\n\t[A](a.md)\n\n[A](/s/a.md)',
  ],
  ['a line of a paragraph, however far in', 'Text\n    [A](a.md)', 'Text\n    [A](/s/a.md)'],
  [
    'text in a list',
    '- Text\n\n  - More\n\n    [A](a.md)\n\n10. Text\n\n    [A](a.md)',
    '- Text\n\n  - More\n\n    [A](/s/a.md)\n\n10. Text\n\n    [A](/s/a.md)',
  ],
  [
    'code by its indent in a list',
    '- Text\n\n      [A](a.md)\n\n  [A](a.md)',
    '- Text\n\n      [A](a.md)\n\n  [A](/s/a.md)',
  ],
  [
    'text in a container',
    '!!! note\n\n    [A](a.md)\n\n        [A](a.md)',
    '!!! note\n\n    [A](/s/a.md)\n\n        [A](a.md)',
  ],
  ['a fence in code by its indent', '\n    ```\n\n[A](a.md)', '\n    ```\n\n[A](/s/a.md)'],
  ['what is far in inside of a fence', '```\n\n    ```\n[A](a.md)', '```\n\n    ```\n[A](/s/a.md)'],
  ['code on one line', '```[A](a.md)```\n[A](a.md)', '```[A](a.md)```\n[A](/s/a.md)'],
])('%s', (_name, markdown, expected) => {
  expect(linked(markdown)).toBe(expected);
});

test('no code by its indent where there is none', () => {
  const linkedThere = linkMarkdown('<A>\n\n    [A](a.md)', () => '/s/a.md', { hasIndentedCode: false });
  expect(linkedThere).toBe('<A>\n\n    [A](/s/a.md)');
});

test.each(['- ', '    - a\n', '[', '](', '`', '[x]: ', '```', '<a href="', '> - '])(
  'is linear in %s',
  async (part) => {
    const time = await processorTime(() => linked(part.repeat(100_000)));
    expect(time).toBeLessThan(2_000);
  },
);
