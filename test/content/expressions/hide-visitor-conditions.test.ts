import { expect, test } from 'vitest';
import { hideVisitorConditions } from '../../../src/content/expressions/index.ts';
import { readSections } from '../../../src/content/search/index.ts';

const heading = (name: string, line: number) => ({ name, heading: name, level: 2, line });

test.each([
  ['a block', 'a\n{% if visitor.claims.plan == "pro" %}\nsecret\n{% endif %}\nb', 'a\n\n\n\nb'],
  ['a part of a line', 'a {% if visitor.claims.x %}secret{% endif %} b', 'a  b'],
  [
    'one inside another',
    '{% if visitor.a %}\n{% if space.x %}secret{% endif %}\n{% if visitor.b %}secret{% endif %}\n{% endif %}z',
    '\n\n\nz',
  ],
  [
    'one around another',
    '{% if space.x %}a{% if visitor.b %}secret{% endif %}b{% endif %}',
    '{% if space.x %}ab{% endif %}',
  ],
  [
    'what everybody sees',
    '{% if space.x %}a{% endif %} for a visitor',
    '{% if space.x %}a{% endif %} for a visitor',
  ],
  ['one without an end, and all that follows it', 'a\n{% if visitor.x %}\nsecret\nsecret', 'a\n\n\n'],
  [
    'what is written of a visitor in a line',
    'a {{ visitor.claims.pro ? "secret" : "" }} b <code class="expression">visitor.secret</code>',
    'a  b ',
  ],
  ['other expressions, and samples', '{{ space.x }} `{{ visitor.x }}`', '{{ space.x }} `{{ visitor.x }}`'],
])('%s', (_name, markdown, expected) => {
  expect(hideVisitorConditions({ markdown, anchors: [] }).markdown).toBe(expected);
});

test('a heading that depends on the visitor is no section', () => {
  const markdown = '## one\nfirst\n## two {{ visitor.claims.pro ? "secret" : "" }}\nsecond';
  const hidden = hideVisitorConditions({
    markdown,
    anchors: [heading('one', 1), heading('two-secret', 3)],
  });
  expect(hidden.anchors.map(({ name }) => name)).toEqual(['one']);
});

test('headings inside are no sections, and the others keep their text', () => {
  const markdown = '## one\nfirst\n{% if visitor.claims.pro %}\n## two\nsecret\n{% endif %}\n## three\nthird';
  const hidden = hideVisitorConditions({
    markdown,
    anchors: [heading('one', 1), heading('two', 4), heading('three', 7)],
  });
  expect(
    readSections(hidden.markdown, hidden.anchors).sections.map(({ heading, text }) => [heading, text]),
  ).toEqual([
    [null, ''],
    ['one', 'first'],
    ['three', 'third'],
  ]);
});
