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
 * Selects the lines that `:2:5`, `:2`, `::5`, `:2:5,8:9` or `:section` after a path includes; null for a missing section.
 * The markers of sections are never shown.
 */
function linesInText(part: string, text: string): ((line: number) => boolean) | null {
  const lines = text.split('\n');
  const isMarker = (line: number) => SECTION.test(lines[line - 1] ?? '');
  const name = /^:([a-z][-\w]*)$/i.exec(part)?.[1];
  if (name === undefined) {
    const covers = text.includes('8<') ? (line: number) => !isMarker(line) : allLines;
    const ranges = part
      .split(',')
      .map((candidate) => rangeOf(candidate.startsWith(':') ? candidate : `:${candidate}`, lines.length));
    return part === '' ? covers : (line) => covers(line) && ranges.some((inRange) => inRange(line));
  }
  const included = new Set<number>();
  let isFound = false;
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    const [marker, edge, section] = (line.includes('8<') ? SECTION.exec(line) : null) ?? [];
    if (marker === undefined) {
      if (isInside) included.add(at + 1);
    } else if (section === name) {
      isInside = edge?.toLowerCase() === 'start';
      isFound = true;
    }
  }
  return isFound ? (line) => included.has(line) : null;
}

/** `:first:last`; negative numbers count from the end. */
function rangeOf(part: string, count: number): (line: number) => boolean {
  const [, first = '', last = ''] = /^:(-?\d*)(?::(-?\d*))?/.exec(part) ?? [];
  const lineNumber = (digits: string, fallback: number) => {
    const number = digits === '' || digits === '-' ? fallback : Number(digits);
    return number < 0 ? count + number + 1 : number;
  };
  return linesBetween(lineNumber(first, 1), lineNumber(last, count));
}
