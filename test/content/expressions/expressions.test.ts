import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  ExpressionError,
  evaluateExpression,
  evaluateMarkdown,
  type Scope,
} from '../../../src/content/expressions/index.ts';

interface Table {
  readonly scope: Scope;
  readonly values: readonly { text: string; value?: unknown; fails?: boolean }[];
  readonly pages: readonly { name: string; page: string; shows: string; only?: readonly string[] }[];
}

const file = new URL('../../../fixtures/content/expressions.yaml', import.meta.url);
const { scope, values, pages }: Table = parse(readFileSync(file, 'utf8'));

describe('expressions', () => {
  it.each(values)('$text', ({ text, value, fails }) => {
    if (fails === true) expect(() => evaluateExpression(text, scope)).toThrow(ExpressionError);
    else expect(evaluateExpression(text, scope) ?? null).toEqual(value);
  });

  it.each(pages)('in a page: $name', ({ page, shows, only }) => {
    expect(evaluateMarkdown(page, { scope, ...(only === undefined ? {} : { only }) })).toBe(shows);
  });

  it('return a value or throw an error for any text', () => {
    const part = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '!',
      '-',
      '?',
      ':',
      '.',
      'space',
      'vars',
      '"',
      '1',
      '+',
      '&&',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 400 }), (parts) => {
        try {
          evaluateExpression(parts.join(' '), scope);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});
