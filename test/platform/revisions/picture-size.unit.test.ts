import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPictureSize } from '../../../src/platform/revisions/picture-size.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

const text = (svg: string) => new TextEncoder().encode(svg);

const cases: [string, Uint8Array][] = [
  ['png', hex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 08060000')],
  ['gif', hex('474946383961 8002 e001 f70000')],
  ['jpeg', hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 01e0 0280 03012200')],
  ['webp, extended', hex('52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100')],
  ['webp, lossy', hex('52494646 00000000 57454250 56503820 00000000 300100 9d012a 8002 e001 0000')],
  ['webp, lossless', hex('52494646 00000000 57454250 5650384c 00000000 2f 7fc27700 0000000000')],
  ['svg in pixels', text('<?xml version="1.0"?><!-- <svg width="1"> --><svg width="640" height="480px"/>')],
  ['svg in inches', text('<svg:svg xmlns:svg="s" height="5in" viewBox="0 0 4 3">')],
  ['svg of a box', text('<svg width="100%" viewBox="0,0 640 480">')],
  ['bmp', hex('424d 00000000 00000000 36000000 28000000 80020000 e0010000 0100')],
];

it.each(cases)('reads 640 × 480 from a %s', (_name, bytes) => {
  expect(readPictureSize(bytes)).toEqual({ width: 640, height: 480 });
});

it.each([
  ['png', hex('89504e470d0a1a0a 0000000d 49484452 80000000 000001e0 08060000')],
  ['bmp', hex('424d 00000000 00000000 36000000 28000000 80020000 00000080 0100')],
  ['svg', text('<svg width="640" height="2147483648"/>')],
])('reads no size from a %s that claims more pixels than there can be', (_name, bytes) => {
  expect(readPictureSize(bytes)).toBeNull();
});

it('returns null or a size for any bytes, also truncated ones', () => {
  const starts = cases.map(([, bytes]) => bytes);
  const hostile = fc
    .tuple(fc.constantFrom(new Uint8Array(), ...starts), fc.nat(40), fc.uint8Array({ maxLength: 64 }))
    .map(([start, cut, rest]) => Uint8Array.from([...start.slice(0, cut), ...rest]));
  fc.assert(
    fc.property(hostile, (bytes) => {
      const size = readPictureSize(bytes);
      expect(
        size === null || [size.width, size.height].every((pixels) => pixels > 0 && pixels < 2 ** 31),
      ).toBe(true);
    }),
  );
});
