import type { Anchor, FileFacts } from '../../model/index.ts';

/**
 * The lines that `{2,10}` takes, from the first to the last; and `#name`, the regions of that name, or where there are none
 * what stands below that heading in its section. All lines for a name that nothing has.
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
  // Lines are counted in what the name took.
  const first = from === '' ? start : start + Number(from) - 1;
  const last = to === '' ? end : Math.min(end, start + Number(to) - 1);
  return (line) => line >= first && line <= last;
}

/** From below a heading to before the next one that is no part of its section. */
function sectionOf(name: string, anchors: readonly Anchor[]): readonly [number, number] | null {
  const headings = anchors.filter((anchor) => anchor.heading !== null).toSorted((a, b) => a.line - b.line);
  const heading = headings.find((candidate) => candidate.name === name);
  if (heading === undefined) return null;
  const next = headings.find(
    (candidate) => candidate.line > heading.line && candidate.level <= heading.level,
  );
  return [heading.line + 1, next === undefined ? Number.POSITIVE_INFINITY : next.line - 1];
}
