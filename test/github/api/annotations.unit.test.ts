import { expect, test } from 'vitest';
import { type Annotation, batch } from '../../../src/github/api/annotations.ts';

const annotations = (count: number): Annotation[] =>
  Array.from({ length: count }, (_, at) => ({
    path: 'a.md',
    start_line: at + 1,
    end_line: at + 1,
    annotation_level: 'failure',
    title: 'Page not found',
    message: `There is no page ${at}.`,
  }));

test.each([
  [0, [0]],
  [1, [1]],
  [50, [50]],
  [51, [50, 1]],
  [500, Array.from({ length: 10 }, () => 50)],
])('%i annotations are sent in requests that GitHub accepts, each once and in order', (count, sizes) => {
  const all = annotations(count);
  const batches = batch(all);
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(all);
});
