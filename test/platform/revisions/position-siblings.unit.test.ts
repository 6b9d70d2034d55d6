import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionSiblings } from '../../../src/platform/revisions/position-siblings.ts';

it.each([
  { name: 'a first list has gaps', before: [undefined, undefined, undefined], after: [0, 1024, 2048] },
  { name: 'who stays keeps its place', before: [0, undefined, 1024], after: [0, 512, 1024] },
  { name: 'a new one comes first', before: [undefined, 0, 1024], after: [-512, 0, 1024] },
  { name: 'a new one comes last', before: [0, 1024, undefined], after: [0, 1024, 2048] },
  { name: 'one that moved to the front moves alone', before: [4096, 0, 1024], after: [-512, 0, 1024] },
  { name: 'no room is left, so all are placed anew', before: [0, undefined, 1], after: [0, 1024, 2048] },
  { name: 'nothing is placed', before: [], after: [] },
])('$name', ({ before, after }) => {
  expect(positionSiblings(before)).toEqual(after);
});

it('positions always increase, and none changes without need', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined })), (before) => {
      const after = positionSiblings(before);
      expect(after).toHaveLength(before.length);
      after.forEach((position, index) => {
        if (index > 0) expect(position).toBeGreaterThan(after[index - 1] as number);
      });
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 })), (numbers) => {
      const rising = numbers.toSorted((a, b) => a - b);
      expect(positionSiblings(rising)).toEqual(rising);
    }),
  );
});
