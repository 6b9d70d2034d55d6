import { encodeParts, type Part, type Segment } from './segment.ts';

/**
 * The text of a segment as a person wrote it, with its placeholders numbered as in the source; null unless both have the same
 * placeholders.
 */
export function readCorrection(source: Segment, written: Segment): string | null {
  const unused: (readonly [number, string])[] = [];
  const number = (parts: readonly Part[]) => {
    for (const part of parts) {
      if (part.type === 'text') continue;
      unused.push([unused.length + 1, nameOf(part)]);
      if (part.type === 'wrap') number(part.parts);
    }
  };
  number(source.parts);
  const all = unused.length;
  let used = 0;
  let isSame = true;
  const encode = (parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (part.type === 'text') return encodeParts([part]);
        const at = unused.findIndex(([, name]) => name === nameOf(part));
        const [id] = unused.splice(at, at === -1 ? 0 : 1)[0] ?? [0];
        if (at === -1) isSame = false;
        used += 1;
        return part.type === 'atom' ? `<x id="${id}"/>` : `<g id="${id}">${encode(part.parts)}</g>`;
      })
      .join('');
  const text = encode(written.parts);
  return isSame && used === all ? text : null;
}

function nameOf(part: Exclude<Part, { type: 'text' }>): string {
  return part.type === 'atom' ? part.raw : `${part.open}\0${part.close}`;
}
