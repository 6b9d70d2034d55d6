import {
  type Anchor,
  type FileFacts,
  MAX_ANCHORS,
  MAX_PAGE_PARTS,
  MAX_PART_DEPTH,
  type RepoPath,
} from '../model/index.ts';
import type { HeadingNamer } from '../text/index.ts';

/** A file that is included in the text of another file. */
export interface IncludedPart {
  /** The line of the directive in the including file. */
  readonly line: number;
  readonly path: RepoPath;
  /** Undefined when it was not read, or is not a text with headings. */
  readonly facts: FileFacts | undefined;
  /** Whether a line of the file is included. */
  covers(line: number): boolean;
}

export interface AnchorsWithParts {
  readonly anchors: readonly Anchor[];
  /** Facts of all files that were read, the page's first. */
  readonly facts: readonly FileFacts[];
  /** Parts that could not be read. */
  readonly unread: readonly RepoPath[];
}

/**
 * The anchors of a page whose builder includes other files before it names headings, so that repeats are numbered across
 * all files.
 */
export function anchorsWithParts(
  page: RepoPath,
  facts: FileFacts,
  options: {
    readonly headings: () => HeadingNamer;
    /** How headings are named in the facts of a file, if not as in those of the page. */
    readonly headingsOf?: (path: RepoPath) => () => HeadingNamer;
    readonly partsOf: (path: RepoPath, facts: FileFacts) => readonly IncludedPart[];
  },
): AnchorsWithParts {
  if (options.partsOf(page, facts).length === 0)
    return { anchors: facts.anchors, facts: [facts], unread: [] };
  const namer = options.headings();
  const anchors: Anchor[] = [];
  const read: FileFacts[] = [];
  const unread: RepoPath[] = [];
  const open = new Set<RepoPath>();
  const add = (path: RepoPath, candidate: FileFacts, covers: (line: number) => boolean) => {
    read.push(candidate);
    open.add(path);
    const parts = options.partsOf(path, candidate).toSorted((a, b) => a.line - b.line);
    let next = 0;
    const addPartsBefore = (line: number) => {
      for (let part = parts[next]; part !== undefined && part.line < line; part = parts[next]) {
        next += 1;
        if (!covers(part.line) || open.has(part.path)) continue;
        if (part.facts === undefined || open.size > MAX_PART_DEPTH || read.length > MAX_PAGE_PARTS)
          unread.push(part.path);
        else add(part.path, part.facts, part.covers);
      }
    };
    for (const anchor of renamedAnchors(
      candidate.anchors,
      (options.headingsOf?.(path) ?? options.headings)(),
      namer,
      (line) => {
        addPartsBefore(line);
        return covers(line);
      },
    )) {
      if (anchors.length < MAX_ANCHORS) anchors.push(anchor);
    }
    addPartsBefore(Number.POSITIVE_INFINITY);
    open.delete(path);
  };
  add(page, facts, () => true);
  return { anchors, facts: read, unread };
}

/**
 * The anchors of one file in line order, with headings named by the page's namer. `own` names the headings of the file
 * alone: an anchor that it does not produce is an explicit id. `reach` is called once for each heading and anchor, in
 * line order.
 */
function* renamedAnchors(
  anchors: readonly Anchor[],
  own: HeadingNamer,
  page: HeadingNamer,
  reach: (line: number) => boolean,
): Iterable<Anchor> {
  let last: Anchor | null = null;
  for (const anchor of anchors.toSorted((a, b) => a.line - b.line)) {
    if (anchor.heading === null) {
      if (reach(anchor.line)) yield anchor;
      continue;
    }
    // A heading with several names is listed once for each.
    const isSame = last !== null && last.line === anchor.line && last.heading === anchor.heading;
    last = anchor;
    if (isSame) continue;
    const isNamed = own.name(anchor.heading, anchor.level, []).names.includes(anchor.name);
    if (!reach(anchor.line)) continue;
    const text = isNamed ? anchor.heading : `${anchor.heading} {#${anchor.name}}`;
    for (const name of page.name(text, anchor.level, []).names) yield { ...anchor, name };
  }
}
