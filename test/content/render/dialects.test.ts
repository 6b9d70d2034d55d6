import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadDialect } from '../../../src/content/index.ts';
import { renderPage, toDocument } from '../../../src/content/render/index.ts';
import { readAtOnce } from '../analysis-of.ts';
import { expectValidDocument, textOfDocument, textOfHtml } from './compare-texts.ts';

interface Table {
  readonly dialect: string;
  readonly rows: readonly { readonly name: string; readonly markdown: string; readonly html: string }[];
}

const folder = 'fixtures/render';
const tables = readdirSync(folder)
  .filter((name) => name !== 'hostile.yaml')
  .map((name): [string, Table] => [name, parse(readFileSync(`${folder}/${name}`, 'utf8'))]);
const rows = tables.flatMap(([file, { dialect, rows: own }]) =>
  own.map((row) => [`${file}: ${row.name}`, dialect, row] as const),
);

describe('dialects', () => {
  test.each(rows)('%s', async (_, dialect, { markdown, html }) => {
    expect(await renderPage(markdown, { dialect })).toBe(html);
  });

  test.each(rows)('%s, as a document, with the same text and anchors', async (_, dialect, { markdown }) => {
    const html = await renderPage(markdown, { dialect });
    const document = await toDocument(markdown, { dialect });
    expect(textOfDocument(document)).toBe(textOfHtml(html));
    expectValidDocument(document);
    const { reading } = await loadDialect(dialect);
    const names = readAtOnce(reading, new TextEncoder().encode(markdown)).anchors.map(({ name }) =>
      name.toLowerCase(),
    );
    expect(names.filter((name) => name !== '' && !html.includes(` id="${name}"`))).toEqual([]);
  });
});
