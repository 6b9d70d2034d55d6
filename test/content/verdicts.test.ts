import { describe, expect, it } from 'vitest';
import { loadFormat } from '../../src/content/formats/index.ts';
import { analyseCase, describeVerdicts, detectedIn, type VerdictTable } from './fixture-cases.ts';
import { verdictTables } from './fixture-tables.ts';

for (const [table, name, small] of verdictTables<VerdictTable>()) {
  const named = { name, format: await loadFormat(name) };
  describe(`verdicts of ${table}`, () => {
    it('are about a space that its files have', () => {
      const detected = detectedIn(small, named).map(({ directory }) => directory);
      const isRoot = detected.length === 0 || detected.includes('');
      expect(
        isRoot || small.directory !== undefined,
        `These folders are spaces: ${detected.join(', ')}. Set \`directory\` in ${table} to the one that the cases are about.`,
      ).toBe(true);
    });

    it.each(Object.entries(small.cases))('%j is %s', (markdown, expected) => {
      const analysis = analyseCase(small, markdown, named);
      for (const link of analysis.links.filter(({ file }) => file === small.in)) {
        expect(link.kind).not.toBe('verdict');
        expect(link.message === null).toBe(link.status === 'ok');
        expect(link.rule === null).toBe(link.status !== 'broken');
      }
      expect(describeVerdicts(analysis, small)).toBe(expected.trim());
    });
  });
}
