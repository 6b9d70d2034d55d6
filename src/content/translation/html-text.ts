import { splitText } from './protected-text.ts';
import type { Part } from './segment.ts';

/** Elements inside a line of text; all others end it. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big br cite del dfn em i img ins mark q s small span strike strong sub sup u wbr'.split(
    ' ',
  ),
);

/** Comments, elements whose content is not translated, and tags. */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(code|kbd|samp|var|pre|script|style|svg|math|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?([A-Za-z][\w.:-]*)(?:"[^"]*"|'[^']*'|[^"'<>])*>|<[!?][^>]*>/gi;

/** Returns the texts of the HTML between two offsets of a file, each with the inline tags in it. */
export function splitHtml(source: string, start: number, end: number): Part[][] {
  const raw = source.slice(start, end);
  const groups: Part[][] = [[]];
  let at = 0;
  const addText = (to: number) => {
    if (to <= at) return;
    for (const part of splitText(raw.slice(at, to), start + at)) groups.at(-1)?.push(part);
  };
  for (const match of raw.matchAll(MARKUP)) {
    addText(match.index);
    const to = match.index + match[0].length;
    const [tag, literal, name] = match;
    const isInline = literal !== undefined || INLINE.has((name ?? '').toLowerCase());
    if (isInline)
      groups.at(-1)?.push({ type: 'atom', start: start + match.index, end: start + to, raw: tag });
    else groups.push([]);
    at = to;
  }
  addText(raw.length);
  // A tag that is not closed here, or blocks in the text, cannot be translated safely.
  return groups.filter((parts) => !parts.some((part) => part.type === 'text' && part.text.includes('<')));
}
