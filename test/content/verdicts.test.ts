import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RepositoryAddress } from '../../src/content/index.ts';
import { analysisOf, type SmallTree } from './analysis-of.ts';

interface VerdictTable extends SmallTree {
  readonly repository?: RepositoryAddress;
  /** The page that each case is written into. */
  readonly in: string;
  /** Markdown → verdict: a status, or the rule of a broken link and, after an arrow, its suggestion. */
  readonly cases: Readonly<Record<string, string>>;
}

const folder = new URL('../../fixtures/content/verdicts/', import.meta.url);

for (const name of readdirSync(folder)) {
  const table: VerdictTable = parse(readFileSync(new URL(name, folder), 'utf8'));
  describe(`verdicts of ${name}`, () => {
    it.each(Object.entries(table.cases))('%j is %s', (markdown, expected) => {
      const files = { ...table.files, [table.in]: `${markdown}\n` };
      const { links } = analysisOf(
        { ...table, files },
        table.repository === undefined ? {} : { repository: table.repository },
      );
      const [link, another] = links.filter((one) => one.file === table.in);
      expect(another).toBeUndefined();
      const suggestion = link?.suggestion == null ? '' : ` -> ${link.suggestion}`;
      expect(link === undefined ? 'text' : `${link.rule ?? link.status}${suggestion}`).toBe(expected);
      expect(link?.message === null).toBe(link?.status === 'ok');
    });
  });
}
