import { describe, expect, it } from 'vitest';
import { loadFormat } from '../../src/content/formats/index.ts';
import type { RepositoryAddress } from '../../src/content/index.ts';
import { analysisOf, type SmallTree } from './analysis-of.ts';
import { verdictTables } from './fixture-tables.ts';

interface VerdictTable extends SmallTree {
  readonly repository?: RepositoryAddress;
  readonly directory?: string;
  readonly siblings?: readonly string[];
  /** The page that each case is written into. */
  readonly in: string;
  /** Also told is where each link stands: ` @line:column-endLine:endColumn`. */
  readonly places?: boolean;
  /**
   * Markdown → verdict: a status, or the rule of a broken link, in brackets the rule of a warning, and after an arrow the
   * suggestion. `text` for Markdown that holds no link; several links are told in their order, each on a line.
   */
  readonly cases: Readonly<Record<string, string>>;
}

for (const [table, name, { cases, ...small }] of verdictTables<VerdictTable>()) {
  const format = await loadFormat(name);
  describe(`verdicts of ${table}`, () => {
    it.each(Object.entries(cases))('%j is %s', (markdown, expected) => {
      const { repository, directory = '', siblings: siblingDirectories = [] } = small;
      const files = { ...small.files, [small.in]: `${markdown}\n` };
      const { links } = analysisOf(
        { ...small, files },
        { name, format, directory, siblingDirectories, ...(repository === undefined ? {} : { repository }) },
      );
      const told = links
        .filter((one) => one.file === small.in)
        .map((link) => {
          expect(link.kind).not.toBe('verdict');
          expect(link.message === null).toBe(link.status === 'ok');
          expect(link.rule === null).toBe(link.status !== 'broken');
          const warning = link.warning === null ? '' : ` (${link.warning.rule})`;
          const suggestion = link.suggestion === null ? '' : ` -> ${link.suggestion}`;
          const { line, column, endLine, endColumn } = link;
          const place = small.places === true ? ` @${line}:${column}-${endLine}:${endColumn}` : '';
          return `${link.rule ?? link.status}${warning}${suggestion}${place}`;
        });
      expect(told.length === 0 ? 'text' : told.join('\n')).toBe(expected.trim());
    });
  });
}
