import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findSimilarAnchor, SuggestionBudget } from '../../src/content/links/similar-anchor.ts';

const rows: readonly string[] = parse(
  readFileSync(new URL('../../fixtures/content/similar-anchors.yaml', import.meta.url), 'utf8'),
);

describe('the heading that was meant', () => {
  it.each(rows)('%s', (row) => {
    const [asked = '', expected = null] = row.split(' -> ');
    const [fragment = '', names = ''] = asked.split(': ');
    expect(findSimilarAnchor(fragment, names.split(', '), new SuggestionBudget())).toBe(expected);
  });

  it('is searched for in bounded time', () => {
    const budget = new SuggestionBudget();
    const names = Array.from({ length: 20_000 }, (_, at) => `a-heading-with-several-words-${at}`);
    let found = 0;
    for (let at = 0; at < 100; at += 1) {
      if (findSimilarAnchor(`a-heading-with-sevral-word-${at}`, names, budget) !== null) found += 1;
    }
    expect(budget.spend(1)).toBe(false);
    expect(found).toBeLessThan(100);
  });
});
