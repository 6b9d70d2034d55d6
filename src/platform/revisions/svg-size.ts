/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The root element of an SVG is near the start of the file. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Pixels of a unit of length (CSS Values 4, section 6.2). */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** A larger number is not taken for a size. */
const MAX_PIXELS = 1_000_000;

/**
 * The size of an SVG image in pixels, rounded: its `width` and `height`; if one of them is not an absolute length, it
 * follows from the proportions of the `viewBox` (SVG 2, section 8.2). Null for any other text.
 */
export function readSvgSize(bytes: Uint8Array): PictureSize | null {
  const head = withoutComments(new TextDecoder().decode(bytes.subarray(0, MAX_HEAD_BYTES)));
  const attributes = /<(?:[\w-]{1,40}:)?svg(\s[^<>]*)?>/i.exec(head)?.[1];
  if (attributes === undefined) return null;
  const width = readLength(attributes, 'width');
  const height = readLength(attributes, 'height');
  const [, , boxWidth = 0, boxHeight = 0] = (attributeOf(attributes, 'viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox = boxWidth > 0 && boxHeight > 0;
  const wide = width ?? (hasBox ? (height === null ? boxWidth : (height * boxWidth) / boxHeight) : null);
  const high = height ?? (hasBox ? (width === null ? boxHeight : (width * boxHeight) / boxWidth) : null);
  if (wide === null || high === null) return null;
  const size = { width: Math.round(wide), height: Math.round(high) };
  const isSize = [size.width, size.height].every((pixels) => pixels > 0 && pixels <= MAX_PIXELS);
  return isSize ? size : null;
}

function withoutComments(text: string): string {
  let rest = '';
  let at = 0;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    rest += text.slice(at, start);
    const end = text.indexOf('-->', start);
    if (end === -1) return rest;
    at = end + 3;
  }
  return rest + text.slice(at);
}

function readLength(attributes: string, name: string): number | null {
  const match = /^\s*(\d{1,7}(?:\.\d{0,10})?)\s*([a-z]{0,2})\s*$/i.exec(attributeOf(attributes, name) ?? '');
  const unit = UNITS[match?.[2]?.toLowerCase() ?? '?'];
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]{0,200})"|'([^']{0,200})')`).exec(attributes);
  return match?.[1] ?? match?.[2];
}
