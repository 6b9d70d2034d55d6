/** The first and last byte to send; `whole` for the whole file, `none` if the range begins after its end. */
export type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'none';

/**
 * Which bytes of a file a `Range` header requests (RFC 9110, section 14.1.2). Several ranges, units other than bytes and
 * invalid ranges are answered with the whole file, as section 14.2 allows.
 */
export function parseRange(header: string | undefined, size: number): ByteRange {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header?.slice(0, 100) ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Number(last);
    return length === 0 || size === 0 ? 'none' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'none';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
