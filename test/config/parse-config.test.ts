import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/index.ts';
import { formatNames } from '../../src/content/model/index.ts';
import { codePoint } from '../support/code-point.ts';
import { propertyRuns } from '../support/property-runs.ts';

interface ConfigCase {
  readonly name: string;
  readonly text: string;
  readonly spaces?: readonly string[];
  /** As `line: target file rule until day: reason`, `-` for what is left out. */
  readonly ignore?: readonly string[];
  /** The whole configuration that is read. */
  readonly read?: unknown;
  readonly problems?: readonly string[];
  /** The columns of the problems, where they matter. */
  readonly columns?: readonly number[];
}

const cases: readonly ConfigCase[] = parse(
  readFileSync(new URL('../../fixtures/content/config.yaml', import.meta.url), 'utf8'),
);

describe('parseConfig', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const parsed = parseConfig(one.text);
    if ('problems' in parsed) {
      expect(parsed.problems.map(({ line, message }) => `${line}: ${message}`)).toEqual(
        one.problems?.map((problem) => problem.replace('{formats}', formatNames.join(', '))),
      );
      const columns = parsed.problems.map(({ column }) => column);
      expect(columns).toEqual(one.columns ?? columns.filter((column) => column >= 1));
    } else {
      const told = parsed.config.spaces.map(
        ({ directory, title, format }) => `${directory}: ${title}${format === undefined ? '' : ` ${format}`}`,
      );
      expect(told).toEqual(one.spaces);
      const ignore = parsed.config.checks.ignore.map(({ line, target, file, rule, until, reason }) => {
        const day = until === null ? '' : ` until ${until}`;
        return `${line}: ${[target, file, rule].map((part) => part ?? '-').join(' ')}${day}: ${reason}`;
      });
      expect(ignore).toEqual(one.ignore ?? []);
      if (one.read !== undefined) expect(parsed.config).toEqual(one.read);
    }
  });

  it('accepts at most 50 spaces', () => {
    const text = (count: number) =>
      `spaces:\n${Array.from({ length: count }, (_, at) => `  - {directory: d${at}, title: T${at}}\n`).join('')}`;
    expect(parseConfig(text(50))).toHaveProperty('config');
    expect(parseConfig(text(51))).toEqual({
      problems: [{ message: '`spaces` has 51 entries, and at most 50 are possible.', line: 2, column: 3 }],
    });
  });

  it('refuses what is too large, too deep or multiplies, and has problems for every text', () => {
    const bombs = ['a'.repeat(70_000), '['.repeat(30_000), '&a [*a]', 'spaces: &a [*a]', '{'.repeat(5_000)];
    for (const text of bombs) expect(parseConfig(text)).toHaveProperty('problems');
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
        const parsed = parseConfig(text);
        expect('problems' in parsed ? parsed.problems.length : 1).toBeGreaterThan(0);
      }),
      propertyRuns(75),
    );
  });
});
