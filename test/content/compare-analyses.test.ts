import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { suggestRenamedHeadings } from '../../src/content/engine/suggest-renamed-headings.ts';
import { loadFormat } from '../../src/content/formats/index.ts';
import {
  compareAnalyses,
  detectRenames,
  type FormatName,
  type Link,
  type Rename,
} from '../../src/content/index.ts';
import { analysisOf, treeOf } from './analysis-of.ts';

interface ChangeCase {
  readonly name: string;
  /** Plain Markdown when left out. */
  readonly format?: FormatName;
  readonly base: Readonly<Record<string, string>>;
  readonly head: Readonly<Record<string, string>>;
  /** What git says besides equal bytes. */
  readonly renames?: readonly Rename[];
  readonly introduced?: readonly string[];
  readonly existing?: readonly string[];
  readonly fixed?: readonly string[];
}

const cases: readonly ChangeCase[] = parse(
  readFileSync(new URL('../../fixtures/content/changes/all.yaml', import.meta.url), 'utf8'),
  { merge: true },
);

const tell = (links: readonly Link[]) =>
  links.map(
    ({ file, target, suggestion }) => `${file}: ${target}${suggestion === null ? '' : ` -> ${suggestion}`}`,
  );

describe('compareAnalyses', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const renames = [
      ...detectRenames(treeOf({ files: one.base }).tree, treeOf({ files: one.head }).tree),
      ...(one.renames ?? []),
    ];
    const { format: name = 'github' } = one;
    const format = await loadFormat(name);
    const base = analysisOf({ files: one.base }, { name, format });
    const head = analysisOf({ files: one.head }, { name, format, renames });
    const comparison = compareAnalyses(base, head, renames);
    const mended = suggestRenamedHeadings(comparison.introduced, { base, head, renames });
    expect(tell(comparison.introduced.map((link) => mended.get(link) ?? link))).toEqual(one.introduced ?? []);
    expect(tell(comparison.existing.map((link) => ({ ...link, suggestion: null })))).toEqual(
      one.existing ?? [],
    );
    expect(tell(comparison.fixed.map((link) => ({ ...link, suggestion: null })))).toEqual(one.fixed ?? []);
  });

  it('counts the removed one of several equal links as fixed', async () => {
    const format = await loadFormat('github');
    const base = analysisOf({ files: { 'a.md': '[x](no.md)\n\n[x](no.md)\n' } }, { name: 'github', format });
    const head = analysisOf({ files: { 'a.md': '# A\n\n[x](no.md)\n' } }, { name: 'github', format });
    expect(compareAnalyses(base, head).fixed.map((link) => link.line)).toEqual([1]);
  });
});
