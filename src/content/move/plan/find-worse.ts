import type { Link, SpaceAnalysis } from '../../model/index.ts';

/** A link that a move makes worse. */
export interface WorseLink {
  /** Its position now, and after the move. */
  readonly file: string;
  readonly newFile: string;
  readonly line: number;
  readonly target: string;
  /** One sentence: what is wrong with it then. */
  readonly why: string;
}

/** A table of contents, which lists what a book or space publishes. */
export const CONTENTS = /(?:^|\/)SUMMARY\.md$/i;

/** The path that a link leads to, or would if it existed; null for links that leave the repository. */
export function locationOf(link: Link): string | null {
  if (link.resolved !== null) return link.resolved.path;
  return link.status === 'ok' || link.status === 'broken' ? link.destination : null;
}

/**
 * Links that were not broken and will be, or that will lead elsewhere than now. `reasons` are better explanations, by
 * file after the move and number of the link.
 */
export function findWorse(
  before: readonly SpaceAnalysis[],
  after: readonly SpaceAnalysis[],
  moved: (path: string) => string,
  reasons: ReadonlyMap<string, string>,
  isGone: (path: string) => boolean = () => false,
): readonly WorseLink[] {
  const now = linksByFile(after);
  const worse: WorseLink[] = [];
  for (const [file, links] of linksByFile(before)) {
    if (isGone(file)) continue;
    const newFile = moved(file);
    const newLinks = now.get(newFile) ?? [];
    const describe = (link: Link, why: string) =>
      worse.push({ file, newFile, line: link.line, target: link.target, why });
    if (newLinks.length !== links.length) {
      for (const link of newlyBroken(links, newLinks)) describe(link, link.message ?? 'The link breaks.');
      if (newLinks.length === 0)
        for (const link of links) describe(link, 'It is no link of a page any more.');
      continue;
    }
    for (const [index, link] of links.entries()) {
      const newLink = newLinks[index];
      const why = newLink === undefined ? null : whyWorse(link, newLink, moved);
      if (why !== null) describe(link, reasons.get(`${newFile}\0${index}`) ?? why);
    }
  }
  return worse;
}

function whyWorse(before: Link, after: Link, moved: (path: string) => string): string | null {
  if (before.status === 'broken') return null;
  if (after.status === 'broken') return after.message ?? 'The link breaks.';
  const [location, newLocation] = [locationOf(before), locationOf(after)];
  if (location === null || newLocation === null || moved(location) === newLocation) return null;
  return `It would lead to ${newLocation}.`;
}

/** Broken links of a file that contains more or fewer links than before, except those that were already broken. */
function newlyBroken(before: readonly Link[], after: readonly Link[]): readonly Link[] {
  const known = new Set(before.filter((link) => link.status === 'broken').map((link) => link.target));
  return after.filter((link) => link.status === 'broken' && !known.has(link.target));
}

export function linksByFile(analyses: readonly SpaceAnalysis[]): ReadonlyMap<string, readonly Link[]> {
  return Map.groupBy(
    analyses.flatMap(({ links }) => [...links]),
    (link) => link.file,
  );
}
