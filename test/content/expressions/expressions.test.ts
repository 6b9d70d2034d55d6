import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  answerQuestions,
  ExpressionError,
  evaluateExpression,
  evaluateMarkdown,
  listVisitorQuestions,
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

describe('a page that a visitor reads', () => {
  const read = (page: string, claims: object) => {
    const outcomes = answerQuestions(listVisitorQuestions(page), { ...scope, visitor: { claims } });
    return evaluateMarkdown(page, { scope, outcomes });
  };

  it.each([
    ['a condition', 'a\n{% if visitor.claims.pro %}\nb\n{% endif %}\nc', 'a\nb\nc', 'a\nc'],
    ['a condition without an end', 'a\n{% if visitor.claims.pro %}\nb', 'a\nb', 'a\n'],
    ['a condition without a value', 'a{% if visitor.( %}b{% endif %}', 'a', 'a'],
    [
      'a condition in one of the space',
      '{% if true %}{% if visitor.claims.pro %}b{% endif %}{% endif %}',
      'b',
      '',
    ],
    ['an expression', '{{ visitor.claims.pro ? "b" : "c" }}', 'b', 'c'],
    ['an expression without a value', 'a{{ visitor.claims.pro + ( }}', 'a', 'a'],
    [
      'an expression after code in a list',
      '- ```js\n  a\n  ```\n\n{{ visitor.claims.pro }}',
      '- ```js\n  a\n  ```\n\ntrue',
      '- ```js\n  a\n  ```\n\n',
    ],
    ['a sample', '`{{ visitor.claims.pro }}`', '`{{ visitor.claims.pro }}`', '`{{ visitor.claims.pro }}`'],
    [
      'what is no question about them',
      '{{ foo }}{% if foo %}a{% endif %}',
      '{{ foo }}{% if foo %}a{% endif %}',
      '{{ foo }}{% if foo %}a{% endif %}',
    ],
  ])('%s', (_name, page, pro, others) => {
    expect(read(page, { pro: true })).toBe(pro);
    expect(read(page, {})).toBe(others);
  });

  it('has what claims say as text', () => {
    expect(read('{{ visitor.claims.name }}', { name: '<b> [x](y) "*' })).not.toMatch(/[<>[\]*"]/);
  });

  it('shows to nobody what it asks beyond the limit', () => {
    const page = Array.from(
      { length: 300 },
      (_, at) => `{% if visitor.claims.pro || ${at} %}x{% endif %}`,
    ).join('\n');
    expect(read(page, { pro: true }).match(/x/g)).toHaveLength(200);
  });

  it('has the same outcomes for visitors who read the same', () => {
    const page = '{% if visitor.claims.plan == "pro" %}a{% endif %}';
    const outcomes = (claims: object) => answerQuestions(listVisitorQuestions(page), { visitor: { claims } });
    expect(outcomes({ plan: 'free', name: 'Ada' })).toEqual(outcomes({ plan: 'none' }));
    expect(outcomes({ plan: 'pro' })).not.toEqual(outcomes({}));
  });
});
