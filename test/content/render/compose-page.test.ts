import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadFormat } from '../../../src/content/formats/index.ts';
import { type FormatName, partsOfPage } from '../../../src/content/index.ts';
import { composePage, sourcePositionAt } from '../../../src/content/render/index.ts';
import { treeIndexOf } from '../../../src/content/tree/tree-index.ts';
import { analysisOf, treeOf } from '../analysis-of.ts';

interface Row {
  readonly name: string;
  readonly format: FormatName;
  readonly page: string;
  readonly files: Readonly<Record<string, string>>;
  readonly shows: string;
}

const rows: readonly Row[] = parse(readFileSync('fixtures/included/parts.yaml', 'utf8'));

async function compose({ format: name, page, files }: Omit<Row, 'name' | 'shows'>) {
  const { tree, blobs } = treeOf({ files });
  const index = treeIndexOf(tree);
  const analysis = analysisOf({ files }, { name, format: await loadFormat(name) });
  const parts = partsOfPage(analysis, page, (path) => index.entry(path)) ?? [];
  const written = { path: page, text: files[page] ?? '', dialect: analysis.dialects[page] ?? '', parts };
  const composed = await composePage(written, (oid) => new TextEncoder().encode(blobs.get(oid) ?? ''));
  return { ...composed, parts };
}

describe('a page with the files that it includes', () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    const { text, origins } = await compose(row);
    expect(text).toBe(row.shows);
    // What a file holds stands where the origins say.
    const files = new Map(Object.entries(row.files).map(([path, own]) => [path, own.split('\n')]));
    for (const [at, line] of text.split('\n').entries()) {
      for (let column = 1; column <= line.length; column += 1) {
        const place = sourcePositionAt(origins, at + 1, column);
        if (place === null) continue;
        expect(files.get(place.path)?.[place.line - 1]?.[place.column - 1]).toBe(line[column - 1]);
      }
    }
  });

  it('ends with a notice when files include each other endlessly, or are too large', async () => {
    const twice = (at: number) => `{{#include ${at}.md}}\n{{#include ${at}.md}}\n`;
    const chain = Array.from({ length: 14 }, (_, at) => [`src/${at}.md`, twice(at + 1)] as const);
    const files = {
      'book.toml': '',
      'src/SUMMARY.md': '* [A](0.md)\n',
      ...Object.fromEntries(chain),
      'src/14.md': 'x',
    };
    const { text } = await compose({ format: 'mdbook', page: 'src/0.md', files });
    expect(text).toContain('are shown to a depth of 10.');
    expect(text.length).toBeLessThan(500_000);
    const big = { 'book.toml': '', 'src/SUMMARY.md': '* [A](a.md)\n', 'src/b.txt': 'x'.repeat(900_000) };
    const large = { ...big, 'src/a.md': '{{#include b.txt}}\n'.repeat(4) };
    expect((await compose({ format: 'mdbook', page: 'src/a.md', files: large })).text).toContain(
      'The page would be too long.',
    );
    const lines = { ...big, 'src/b.txt': 'x\n'.repeat(100_000) };
    for (const said of ['{{#include b.txt:2}}\n', '{{#include gone.txt}} ']) {
      const files = { ...lines, 'src/a.md': said.repeat(5_000) };
      const { text } = await compose({ format: 'mdbook', page: 'src/a.md', files });
      expect(text).toContain('is not shown here.');
      expect(text.length).toBeLessThan(3_000_000);
    }
  });
});
