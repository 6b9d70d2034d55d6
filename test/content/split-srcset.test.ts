import { expect, it } from 'vitest';
import { splitSrcset } from '../../src/content/parse/split-srcset.ts';

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  [' ', []],
  ['a.png', ['a.png']],
  ['a.png 2x', ['a.png']],
  ['a.png 1x, b.png 2x', ['a.png', 'b.png']],
  ['a.png 1x,b.png 2x', ['a.png', 'b.png']],
  ['a.png 480w,\n  b.png 1.5x', ['a.png', 'b.png']],
  ['a.png, b.png', ['a.png', 'b.png']],
  ['a picture (1).png', ['a picture (1).png']],
  ['a picture.png 2x, another one.png', ['a picture.png', 'another one.png']],
  ['a,b.png 2x', ['a,b.png']],
  ['data:image/png;base64,AAAA 2x', ['data:image/png;base64,AAAA']],
  ['a.png 1x,', ['a.png']],
  ['Shot at 9.41\u202fAM.png 2x, b\u00a0c.png', ['Shot at 9.41\u202fAM.png', 'b\u00a0c.png']],
];

it.each(cases)('splits %j', (srcset, expected) => {
  expect(splitSrcset(srcset)).toEqual(expected);
});
