import type { Anchor, FileFacts } from '../../model/index.ts';

/**
 * Selects the lines of `{2,10}`, from the first to the last, and of `#name`: the regions of that name, or if there are none
 * the section below the heading of that name. All lines for a name that does not exist.
 */
export function linesOfRange(part: string, facts: FileFacts | undefined): (line: number) => boolean {
  const { anchors = [], regions = [] } = facts ?? {};
  const [, name, from = '', to = ''] = /^(?:#([^\s{]+))?(?:\{(\d*),(\d*)\})?$/.exec(part) ?? [];
  const named = regions.filter((candidate) => candidate.name === name);
  if (named.length > 1)
    return (line) => named.some((candidate) => line >= candidate.line && line <= candidate.endLine);
  const [region] = named;
  const section =
    name === undefined
      ? null
      : region === undefined
        ? sectionOf(name, anchors)
        : ([region.line, region.endLine] as const);
  if (name !== undefined && section === null) return () => true;
  const [start, end] = section ?? [1, Number.POSITIVE_INFINITY];
  // Line numbers start at the beginning of the named part.
  const first = from === '' ? start : start + Number(from) - 1;
  const last = to === '' ? end : Math.min(end, start + Number(to) - 1);
  return (line) => line >= first && line <= last;
}

/** The lines from below a heading to the end of its section. */
function sectionOf(name: string, anchors: readonly Anchor[]): readonly [number, number] | null {
  const headings = anchors.filter((anchor) => anchor.heading !== null).toSorted((a, b) => a.line - b.line);
  const heading = headings.find((candidate) => candidate.name === name);
  if (heading === undefined) return null;
  const next = headings.find(
    (candidate) => candidate.line > heading.line && candidate.level <= heading.level,
  );
  return [heading.line + 1, next === undefined ? Number.POSITIVE_INFINITY : next.line - 1];
}
