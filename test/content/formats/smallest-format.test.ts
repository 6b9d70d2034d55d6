/** The smallest format of src/content/formats/README.md: its code is checked here, and its cases are tried. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FormatName } from '../../../src/content/index.ts';
import { analysisOf, type SmallTree } from '../analysis-of.ts';
import {
  analyseCase,
  describePages,
  describeVerdicts,
  detectedIn,
  type VerdictTable,
} from '../fixture-cases.ts';
import { folioFormat } from './folio/folio-format.ts';

const readme = readFileSync('src/content/formats/README.md', 'utf8');
const blocks = new Map(
  [...readme.matchAll(/`([\w./-]+)`:\n\n```\w+\n(.*?)^```/gms)].map((block) => [block[1], block[2] ?? '']),
);
const casesOf = (file: string) => parse(blocks.get(`fixtures/content/folio/${file}`) ?? '');
const folio = { name: 'folio' as FormatName, format: folioFormat };

/** The paths of imports are longer here, so the formatter breaks and sorts them in another way. */
function withoutLayout(code: string): { imports: readonly string[]; rest: string } {
  const [rest = '', ...imports] = code
    .replaceAll(/\s+/g, ' ')
    .replaceAll(', }', ' }')
    .split(/(?=import )/)
    .toReversed();
  return { imports: imports.toSorted(), rest };
}

describe('the smallest format', () => {
  it.each(['folio-rules.ts', 'folio-format.ts'])('%s is the same file in the README and here', (name) => {
    const code = readFileSync(new URL(`folio/${name}`, import.meta.url), 'utf8');
    const shorter = code
      .replaceAll('../../../../src/content/formats/', '../')
      .replaceAll('../../../../src/content/', '../../');
    expect(withoutLayout(blocks.get(`folio/${name}`) ?? '')).toEqual(withoutLayout(shorter));
  });

  it('has the spaces of detection.yaml', () => {
    for (const { spaces, ...small } of casesOf('detection.yaml') as (SmallTree & { spaces: string[] })[]) {
      const detected = detectedIn(small, folio).map(
        ({ directory, title }) => `${directory}: folio (${title})`,
      );
      expect(detected).toEqual(spaces);
    }
  });

  it('has the navigation of pages.yaml', () => {
    for (const { pages, ...small } of casesOf('pages.yaml') as (SmallTree & { pages: string })[])
      expect(describePages(analysisOf(small, folio).pages)).toBe(pages);
  });

  const table = casesOf('links.yaml') as VerdictTable;
  it.each(Object.entries(table.cases))('has the verdict of links.yaml: %j is %s', (markdown, expected) => {
    expect(describeVerdicts(analyseCase(table, markdown, folio), table)).toBe(expected);
  });
});
