import type { Part, Segment } from './segment.ts';

const MARKS = /<g id="\d+">|<\/g>|<x id="\d+"\/>/;

/** Creates a segment from the text that the translator received: enough to check an answer, not to write it. */
export function decodeSegment(text: string): Segment {
  const root: Part[] = [];
  const open: Part[][] = [root];
  let rest = text;
  for (let match = MARKS.exec(rest); match !== null; match = MARKS.exec(rest)) {
    const into = open.at(-1) as Part[];
    addText(into, rest.slice(0, match.index));
    rest = rest.slice(match.index + match[0].length);
    if (match[0] === '</g>') {
      if (open.length > 1) open.pop();
    } else if (match[0].startsWith('<g')) {
      const parts: Part[] = [];
      into.push({ type: 'wrap', start: 0, end: 0, open: '', close: '', parts });
      open.push(parts);
    } else into.push({ type: 'atom', start: 0, end: 0, raw: '' });
  }
  addText(root, rest);
  return { kind: 'text', start: 0, end: 0, parts: root, text, words: 0 };
}

function addText(into: Part[], escaped: string): void {
  if (escaped === '') return;
  const text = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  into.push({ type: 'text', start: 0, end: 0, text });
}
