import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rewriteDestinations } from '../../../src/content/fix/index.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { readFacts } from '../read-facts.ts';

interface FixCase {
  readonly name: string;
  readonly before: string;
  readonly target: string;
  readonly to: string;
  readonly after: string | null;
}

const cases: readonly FixCase[] = parse(
  readFileSync(new URL('../../../fixtures/content/fix/destinations.yaml', import.meta.url), 'utf8'),
);

const referencesOf = (source: string) => readFacts('page.md', new TextEncoder().encode(source)).references;

describe('rewriteDestinations', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, { before, target, to, after }) => {
    const wanted = referencesOf(before).filter((one) => one.target === target);
    expect(wanted).not.toEqual([]);
    const { source, applied, refused } = rewriteDestinations(
      before,
      wanted.map((one) => ({ ...one, to })),
    );
    expect(source).toBe(after ?? before);
    expect(after === null ? refused : applied).toHaveLength(wanted.length);
    if (after !== null) {
      const say = (one: { target: string }) => (one.target === target ? to : one.target);
      expect(referencesOf(source).map((one) => one.target)).toEqual(referencesOf(before).map(say));
    }
  });

  it('writes any name so that it is read back, and leaves all else as it was', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        '(',
        ')',
        '<',
        '>',
        '\\',
        '&amp;',
        '&',
        '`',
        '|',
        ' ',
        '"',
        "'",
        '*',
        '_',
        '[',
        ']',
        '!',
      ),
    );
    const name = fc.array(part, { maxLength: 6 }).map((parts) => `n${parts.join('')}.md`);
    const frames = [
      '[a](old.md) `c`',
      '| [a](old.md "t") | b |\n| - | - |',
      '[a]\n\n[a]: old.md',
      '[a](<old.md>)',
      '<a href="old.md">a</a>',
      "x <img src='old.md'> y",
      '<a href=old.md>',
    ];
    fc.assert(
      fc.property(name, fc.constantFrom(...frames), (to, before) => {
        const edits = referencesOf(before).map((one) => ({ ...one, to }));
        const { source, applied } = rewriteDestinations(before, edits);
        if (applied.length === 0) return expect(source).toBe(before);
        expect(referencesOf(source).map((one) => one.target)).toEqual([to]);
      }),
      propertyRuns(500),
    );
  });

  it('refuses a position that does not exist or has another text', () => {
    const [reference] = referencesOf('[a](old.md)');
    const edit = {
      line: 1,
      column: 1,
      endLine: 1,
      endColumn: 12,
      ...reference,
      target: 'old.md',
      to: 'new.md',
    };
    for (const source of ['', '[a](odd.md)', 'x [a](old.md)', '[a](old.md']) {
      expect(rewriteDestinations(source, [edit])).toEqual({ source, applied: [], refused: [edit] });
    }
    expect(rewriteDestinations('[a](old.md)', [{ ...edit, line: 7, endLine: 7 }]).applied).toEqual([]);
    const clash = [edit, { ...edit, to: 'other.md' }];
    expect(rewriteDestinations('[a](old.md)', clash)).toMatchObject({
      source: '[a](new.md)',
      refused: [clash[1]],
    });
  });
});
