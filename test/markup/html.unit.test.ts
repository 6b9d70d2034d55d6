import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { dataScript, html, Markup, safeHref, sanitised } from '../../src/markup/index.ts';
import { codePoint } from '../support/code-point.ts';

test('values are escaped, templates in templates are not escaped twice', () => {
  const inner = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${`"'&`}">${inner}</p>`.text).toBe(
    '<p title="&#34;&#39;&#38;"><b>&#60;i&#62;</b></p>',
  );
});

test('lists are joined, and empty values become nothing', () => {
  expect(html`${[1, 'a', html`<br>`, [null, undefined, false]]}`.text).toBe('1a<br>');
});

test('markup cannot be constructed directly', () => {
  const Forged = Markup as unknown as new (text: string, key?: unknown) => Markup;
  expect(() => new Forged('<script>')).toThrow();
  expect(html`${{ text: '<script>' } as unknown as Markup}`.text).not.toContain('<script>');
});

test('no value escapes from its position', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.string(), (title, text) => {
      const clean = (value: string) => value.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n');
      const fragment = parseFragment(
        html`<p title="${clean(title)}" id='${clean(title)}'>${clean(text)}</p>`.text,
      );
      const [paragraph, ...rest] = fragment.childNodes;
      expect(rest).toEqual([]);
      if (!paragraph || !('attrs' in paragraph)) throw new Error('no element');
      expect(paragraph.attrs.map(({ value }) => value)).toEqual([clean(title), clean(title)]);
      expect(paragraph.childNodes.map((node) => ('value' in node ? node.value : '?')).join('')).toBe(
        clean(text),
      );
    }),
  );
});

test('sanitised markup is not escaped', () => {
  expect(html`<div>${sanitised('<p>ok</p>')}</div>`.text).toBe('<div><p>ok</p></div>');
});

test.each([
  ['https://example.org/a?b=c#d', true],
  ['http://127.0.0.1:3000/', true],
  ['mailto:a@example.org', true],
  ['/spaces/abc', true],
  ['#part', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['JAVASCRIPT:alert(1)', false],
  ['data:text/html,<script>', false],
  ['vbscript:x', false],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['/\t/evil.example', false],
  ['file:///etc/passwd', false],
  ['relative/path', false],
  ['', false],
])('safeHref(%j)', (address, allowed) => {
  expect(safeHref(address)).toBe(allowed ? address : null);
});

test('data for programs stays data, whatever is in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('</script>', '<!--<script>', '\u2028')),
      (text) => {
        const [script, ...rest] = parseFragment(
          dataScript('application/json', JSON.stringify([text])).text,
        ).childNodes;
        expect(rest).toEqual([]);
        if (!script || !('childNodes' in script)) throw new Error('no element');
        const [content] = script.childNodes;
        expect(JSON.parse(content && 'value' in content ? content.value : '')).toEqual([text]);
      },
    ),
  );
});
