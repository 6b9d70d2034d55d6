import { mapOutsideFences } from './outside-fences.ts';

/** An HTML element that is whole on its line, without anything that could be read as Markdown. */
const WHOLE_BLOCK =
  /^ {0,3}<(div|p|center|section|article|figure)(?=[\s>])[^<>\n]{0,500}>[^\n[\]`*_]{0,1000}<\/\1>[ \t]*\r?$/i;

/** The end tag of an HTML element, alone on its line. */
const BLOCK_END = /^ {0,3}<\/(div|p|center|section|article|figure)>[ \t]*\r?$/i;

/** Longer blocks are left as they are. */
const MAX_LINES = 200;

/**
 * Ends blocks of HTML before a heading on the next line: those of Python-Markdown end with their end tag, those of CommonMark
 * with an empty line. An element on one line becomes one of the same length that is part of a paragraph, and keeps its id.
 */
export function endHtmlBlocks(source: string): string {
  if (!/<\/\w{1,10}>[ \t]*\r?\n#/.test(source)) return source;
  return mapOutsideFences(source, (line, at, lines) => {
    if (lines[at + 1]?.startsWith('#') !== true) return line;
    if (WHOLE_BLOCK.test(line)) return line.replace(/<\w/, '<x').replace(/<\/\w(?=\w*>[ \t]*\r?$)/, '</x');
    const name = BLOCK_END.exec(line)?.[1];
    return name !== undefined && endsBlock(lines, at, name) ? ' '.repeat(line.length) : line;
  });
}

/** Whether the end tag on a line ends the whole block of HTML, rather than an element inside another. */
function endsBlock(lines: readonly string[], end: number, name: string): boolean {
  let start = end;
  while (start > 0 && end - start < MAX_LINES && lines[start - 1]?.trim() !== '') start -= 1;
  const block = lines.slice(start, end + 1).join('\n');
  const count = (tag: string) => block.match(new RegExp(`<${tag}(?=[\\s>])`, 'gi'))?.length ?? 0;
  const opened = count(name);
  return opened > 0 && opened === count(`/${name}`) && /^ {0,3}<\w/.test(lines[start] ?? '');
}
