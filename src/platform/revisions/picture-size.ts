import { type PictureSize, readSvgSize } from './svg-size.ts';

/** The largest that PNG allows (its specification, section 7.1), and that the database holds; what claims more is no picture. */
const MAX_PIXELS = 2 ** 31 - 1;

/**
 * The size of an image in pixels, read from the start of its bytes; null for other formats than PNG, GIF, JPEG, WebP, BMP
 * and SVG.
 */
export function readPictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readGif, readJpeg, readWebp, readBmp]) {
    const size = read(view);
    if (size && isPossible(size.width) && isPossible(size.height)) return size;
  }
  return readSvgSize(bytes);
}

function isPossible(pixels: number): boolean {
  return pixels > 0 && pixels <= MAX_PIXELS;
}

/** PNG specification, section 11.2.2: the header chunk comes first. */
function readPng(view: DataView): PictureSize | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || !hasText(view, 12, 'IHDR')) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** GIF89a specification, section 18: the logical screen. */
function readGif(view: DataView): PictureSize | null {
  if (view.byteLength < 10 || !hasText(view, 0, 'GIF8')) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** ITU T.81, annex B: segments follow each other until the start of frame. */
function readJpeg(view: DataView): PictureSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** WebP container specification: lossy, lossless, extended. */
function readWebp(view: DataView): PictureSize | null {
  if (view.byteLength < 30 || !hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return null;
  if (hasText(view, 12, 'VP8X')) {
    const read24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { width: read24(24) + 1, height: read24(27) + 1 };
  }
  if (hasText(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (hasText(view, 12, 'VP8 ')) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return null;
}

function readBmp(view: DataView): PictureSize | null {
  if (view.byteLength < 26 || !hasText(view, 0, 'BM') || view.getUint32(14, true) < 40) return null;
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}

function hasText(view: DataView, at: number, text: string): boolean {
  return [...text].every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0));
}
