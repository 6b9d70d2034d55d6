import { describe, expect, test } from 'vitest';
import { cutStyles, laterStyles, STYLE_PARTS, stylesFor } from '../../../src/sites/views/style-parts.ts';

/** What is on a page only inside of what calls for its part, and what only scripts add to it. */
const INSIDE: Readonly<Record<string, RegExp>> = {
  table: /\b(?:th|td)\b/,
  code: /\.(?:line|hljs|code-box|copy-code|code)\b/,
  links: /\.button-(?:primary|secondary)\b/,
  math: /^(?:mtd|menclose|\.tml-)/,
  operation: /\.(?:server-choice|try-it|answer)\b/,
  openapi: /\.type\b/,
  'api-switch': /\.(?:options|composition)-api/,
};

/** The selectors of the rules, each with all that stands around it taken away. */
function selectorsOf(css: string): readonly string[] {
  return [...css.matchAll(/([^{};]+)\{/g)]
    .map(([, selector = '']) => selector.trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap(splitList);
}

/** At its commas, but for those within brackets. */
function splitList(selectors: string): readonly string[] {
  const found = [''];
  let depth = 0;
  for (const character of selectors) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === ',' && depth === 0) found.push('');
    else found.push((found.pop() ?? '') + character);
  }
  return found;
}

describe('the parts of the stylesheets', () => {
  test('are those of the table, of pages that are printed and of those of no site', () => {
    const names = [...new Set(cutStyles().map(({ name }) => name))];
    expect(names.filter((name) => !Object.hasOwn(STYLE_PARTS, name))).toEqual(['plain', 'printed']);
    expect(Object.keys(STYLE_PARTS).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(Object.entries(STYLE_PARTS).filter(([name]) => name !== 'core' && name !== 'later'))(
    'what “%s” styles is on no page that does not call for it',
    (name, { classes = [], tags = [] }) => {
      const calls = new RegExp(
        [
          ...classes.map((one) => `\\.${one}(?![\\w])`),
          ...tags.map((one) => `(?<![\\w.-])${one}(?![\\w-])`),
        ].join('|'),
      );
      const selectors = cutStyles()
        .filter((part) => part.name === name)
        .flatMap(({ css }) => selectorsOf(css));
      expect(selectors.length).toBeGreaterThan(0);
      expect(selectors.filter((one) => !calls.test(one) && INSIDE[name]?.test(one) !== true)).toEqual([]);
    },
  );

  test('have all that the stylesheets have, without comments and most of the space', () => {
    const css = cutStyles()
      .map((part) => part.css)
      .join('');
    expect(css).not.toMatch(/\n|\/\*| {2}/);
    expect(css.split('{').length).toBe(css.split('}').length);
    expect(css).toContain('content:"\u2193 " / ""');
    expect(css).toContain('url("data:image/svg+xml,%3Csvg xmlns=');
  });

  test('come in the order of the stylesheets, to a page and afterwards', () => {
    const page = stylesFor('<body><table><tr class="hint tab"></table><pre></pre>');
    const places = ['@layer base,', '.top{', '.content table{', '.content .tab >', '.line{'].map((part) =>
      page.indexOf(part),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(laterStyles()).toMatch(/\.finder.*@media print/);
    expect(laterStyles()).not.toContain('.top{');
  });
});
