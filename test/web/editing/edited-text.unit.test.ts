import fc from 'fast-check';
import { expect, test } from 'vitest';
import { restoreText, toEditable } from '../../../src/web/editing/edited-text.ts';
import { processorTime } from '../../support/processor-time.ts';
import { propertyRuns } from '../../support/property-runs.ts';

/** What a form of a browser sends for the text in a field. */
const asForm = (text: string) => text.replace(/\r\n?|\n/g, '\r\n');

const line = fc.oneof(
  fc.constantFrom('', ' ', '\t', '# Title', 'one', 'two  ', '```', '- item', '\u2028', '\f', 'zwölf', '👩‍🚀'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n\uFEFF]/g, '')),
);
const end = fc.constantFrom('\n', '\r\n', '\r');
const text = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, end), { maxLength: 40 }), line)
  .map(([bom, lines, last]) => `${bom ? '\uFEFF' : ''}${lines.map(([own, by]) => own + by).join('')}${last}`);

test.each([asForm, (edited: string) => edited])('a text that nobody changed keeps every byte', (send) => {
  fc.assert(
    fc.property(text, (original) => {
      expect(restoreText(original, send(toEditable(original)))).toBe(original);
    }),
    propertyRuns(300),
  );
});

test('a changed line is the only one whose bytes differ', () => {
  fc.assert(
    fc.property(text, fc.nat(), line, (original, at, by) => {
      const lines = toEditable(original).split('\n');
      const index = at % lines.length;
      lines[index] = by;
      const parts = original.replace(/^\uFEFF/, '').split(/(\r\n?|\n)/);
      parts[2 * index] = by;
      const bom = original.startsWith('\uFEFF') ? '\uFEFF' : '';
      const expected = bom + parts.join('');
      // An empty line between a lone CR and a LF would be read as one line end, so no editor can leave it so.
      fc.pre(toEditable(expected) === lines.join('\n'));
      expect(restoreText(original, asForm(lines.join('\n')))).toBe(expected);
    }),
    propertyRuns(300),
  );
});

test('whatever was edited is what the file has, apart from line ends', () => {
  fc.assert(
    fc.property(text, text, (original, edited) => {
      const saved = restoreText(original, edited);
      expect(toEditable(saved)).toBe(toEditable(edited));
      expect(saved.startsWith('\uFEFF')).toBe(original.startsWith('\uFEFF'));
    }),
    propertyRuns(300),
  );
});

test.each([
  ['an empty line after a lone carriage return', '\r \n', '\n\n', '\r\r'],
  ['a line that was added', 'a\r\nb\r\n', 'a\nnew\nb\n', 'a\r\nnew\r\nb\r\n'],
  ['a line that was removed', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
  ['lines that changed their order', 'a\r\nb\nc', 'c\na\nb', 'c\r\na\r\nb'],
  ['an end that was missing', 'a\r\nb', 'a\nb\n', 'a\r\nb\r\n'],
  ['an end that was taken away', 'a\r\nb\r\n', 'a\nb', 'a\r\nb'],
  ['a file that was empty', '', 'a\n', 'a\n'],
])('%s', (_name, original, edited, expected) => {
  expect(restoreText(original, edited)).toBe(expected);
});

test('texts with nothing in common are compared in no time', async () => {
  const original = Array.from({ length: 100_000 }, (_, index) => `old ${index % 300}`).join('\r\n');
  const edited = Array.from({ length: 100_000 }, (_, index) => `new ${index % 300}`).join('\n');
  let restored = '';
  const time = await processorTime(() => {
    restored = restoreText(original, edited);
  });
  expect(restored).toBe(edited.replaceAll('\n', '\r\n'));
  expect(time).toBeLessThan(3_000);
});
