import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { knownLanguages, languageOf } from '../../../src/config/index.ts';
import { entriesFor, parseGlossary } from '../../../src/content/glossary/index.ts';
import { languages } from '../../../src/contract/index.ts';
import { codePoint } from '../../support/code-point.ts';
import { propertyRuns } from '../../support/property-runs.ts';

interface GlossaryCase {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly entries?: Readonly<Record<string, readonly string[]>>;
  /** How each begins. */
  readonly problems?: readonly string[];
}

const cases: readonly GlossaryCase[] = parse(
  readFileSync(new URL('../../../fixtures/content/glossary.yaml', import.meta.url), 'utf8'),
);

it.each(cases)('$name', ({ path, text, entries = {}, problems = [] }) => {
  const parsed = parseGlossary(text, path);
  if ('problems' in parsed) {
    const told = parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    expect(told).toEqual(problems.map((one) => expect.stringMatching(new RegExp(`^${RegExp.escape(one)}`))));
    return;
  }
  expect(problems).toEqual([]);
  for (const [language, told] of Object.entries(entries)) {
    const found = entriesFor(parsed.glossary, languageOf(language));
    expect(found.map(({ term, translation }) => `${term} → ${translation}`)).toEqual(told);
  }
});

it('has a result for every text, and never a partial glossary', () => {
  const many = Array.from({ length: 1_001 }, (_, at) => `term ${at}: {de: x}`).join('\n');
  const hostile = [
    '['.repeat(30_000),
    'a: '.repeat(5_000),
    `a: ${'x'.repeat(201)}`,
    many,
    'x'.repeat(2_000_000),
  ];
  for (const text of hostile) expect(parseGlossary(text, 'terms.yml')).toHaveProperty('problems');
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), fc.boolean(), (text, isCsv) => {
      const parsed = parseGlossary(isCsv ? `term,de\n${text}` : text, isCsv ? 'a.csv' : 'a.yml');
      expect('problems' in parsed ? parsed.problems.length : 1).toBeGreaterThan(0);
    }),
    propertyRuns(50),
  );
});

it('has the same languages as the platform', () => {
  expect(knownLanguages).toEqual(languages);
  expect(['de-AT', 'pt-BR', 'pt-PT', 'nb', 'zh-CN'].map(languageOf)).toEqual([
    'de',
    'pt-br',
    'pt',
    'no',
    'zh',
  ]);
});
