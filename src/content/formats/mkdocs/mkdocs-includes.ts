import { allLines, type Includes, linesBetween } from '../../dialect/index.ts';
import { includedPath } from './resolve-include.ts';
import { snippetsIn } from './snippets.ts';

/** `--8<-- "file"` and its form with several files; every line gets the indent of the directive. */
export function mkdocsIncludes(source: string): Includes {
  const { snippets, marks } = snippetsIn(source);
  const includes = snippets.map(({ target, indent, start, end }) => ({
    start,
    end,
    target,
    extract({ text }: { readonly text: string }) {
      const covers = linesInText(target.slice(includedPath(target).length), text);
      return covers === null ? null : ({ kind: 'lines', covers, indent } as const);
    },
  }));
  return { includes, marks };
}

const SECTION = /-8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-\w]*)[ \t]*\]/i;

/**
 * The lines that `:2:5`, `:2`, `::5`, `:2:5,8:9` or `:section` behind a path takes; null for a section that is not there. The
 * marks of sections are never shown.
 */
function linesInText(part: string, text: string): ((line: number) => boolean) | null {
  const lines = text.split('\n');
  const isMark = (line: number) => SECTION.test(lines[line - 1] ?? '');
  const name = /^:([a-z][-\w]*)$/i.exec(part)?.[1];
  if (name === undefined) {
    const covers = text.includes('8<') ? (line: number) => !isMark(line) : allLines;
    const ranges = part
      .split(',')
      .map((candidate) => rangeOf(candidate.startsWith(':') ? candidate : `:${candidate}`, lines.length));
    return part === '' ? covers : (line) => covers(line) && ranges.some((inRange) => inRange(line));
  }
  const taken = new Set<number>();
  let isKnown = false;
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    const [mark, end, marked] = (line.includes('8<') ? SECTION.exec(line) : null) ?? [];
    if (mark === undefined) {
      if (isInside) taken.add(at + 1);
    } else if (marked === name) {
      isInside = end?.toLowerCase() === 'start';
      isKnown = true;
    }
  }
  return isKnown ? (line) => taken.has(line) : null;
}

/** `:first:last`; numbers below zero count from the end. */
function rangeOf(part: string, count: number): (line: number) => boolean {
  const [, first = '', last = ''] = /^:(-?\d*)(?::(-?\d*))?/.exec(part) ?? [];
  const numbered = (said: string, otherwise: number) => {
    const number = said === '' || said === '-' ? otherwise : Number(said);
    return number < 0 ? count + number + 1 : number;
  };
  return linesBetween(numbered(first, 1), numbered(last, count));
}
