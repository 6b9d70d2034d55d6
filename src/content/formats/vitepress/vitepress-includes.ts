import { fenced, type IncludedLines, type Includes, type PartSource } from '../../dialect/index.ts';
import { skipFrontMatter } from '../../text/index.ts';
import { includesOf, linesOutsideCode, SNIPPET, type VitepressInclude } from './include-directives.ts';
import { linesOfRange } from './included-lines.ts';
import { isRegionMarker, regionsIn } from './regions.ts';

/** `<!--@include: file.md-->`, and `<<< @/file.ts` as a block of code. */
export function vitepressIncludes(source: string): Includes {
  const includes = [...linesOutsideCode(source)]
    .filter(({ inScript }) => !inScript)
    .flatMap(({ text, offset }) => [...includesOf(text, offset)])
    .map((include) => ({
      start: include.start,
      end: include.end,
      target: include.target,
      extract: (part: PartSource) =>
        include.part === SNIPPET ? snippetOf(include, part) : includedLines(include, part),
    }));
  return { includes };
}

function includedLines({ part }: VitepressInclude, source: PartSource): IncludedLines {
  const covers = linesOfRange(part, part === '' ? undefined : source.facts());
  const first = part === '' ? skipFrontMatter(source.text.split('\n')) + 1 : 1;
  return { kind: 'lines', covers: (line) => line >= first && covers(line) };
}

/** The code of a file or of its region, without the markers of regions and the indent that all lines share. */
function snippetOf({ target, options, indent }: VitepressInclude, { text }: PartSource): IncludedLines {
  const [, name, rest = ''] = /^(?:#([\w.-]+))?([\s\S]*)$/.exec(options) ?? [];
  const lines = text.split('\n');
  const regions =
    name === undefined ? [] : [...regionsIn(text)].filter((candidate) => candidate.name === name);
  // The builder shows the whole file for a missing region.
  const shown =
    regions.length === 0 ? lines : regions.flatMap((region) => lines.slice(region.line - 1, region.endLine));
  const code = dedented(name === undefined ? shown : shown.filter((line) => !isRegionMarker(line)));
  const [, highlight = '', title = ''] = /^\s*(?:\{([^{}]*)\})?\s*(\[[^\]]*\])?/.exec(rest) ?? [];
  // `{1,2 ts}` names lines to highlight, a language, or both.
  const language = highlight.split(/\s+/).findLast((word) => /^[a-z]/i.test(word)) ?? endingOf(target);
  return { kind: 'code', text: fenced(code.join('\n'), [language, title].filter(Boolean).join(' ')), indent };
}

function endingOf(path: string): string {
  return /\.([\w-]+)$/.exec(path)?.[1] ?? '';
}

function dedented(lines: readonly string[]): readonly string[] {
  const indents = lines.flatMap((line) =>
    line.trim() === '' ? [] : [line.length - line.trimStart().length],
  );
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(Number.isFinite(shared) ? shared : 0));
}
