import type { FileProblem, Link, SpaceAnalysis } from '../model/index.ts';
import { isHostFile } from '../tree/index.ts';
import { brokenListsOf, linkListsOf, withLists } from './analysis-of-state.ts';
import { type LinkShape, shapeOfFragment, shapeOfPath } from './link-shapes.ts';

/**
 * Shapes of which most links of a space lead nowhere, such as `[x](/guides)` on a hundred pages: a convention of whatever
 * publishes the pages, which is not known here, rather than a hundred mistakes. By the words of the shape.
 */
type Conventions = ReadonlyMap<string, Convention>;

interface Analysed {
  readonly analysis: SpaceAnalysis;
}

interface Convention {
  readonly missing: number;
  readonly found: number;
  /** One of the links that lead nowhere. */
  readonly example: Link;
}

/** Fewer links that lead nowhere may be as many mistakes. */
const MIN_MISSING = 5;

const NONE: Conventions = new Map();

/** The analysis with its strict verdicts, of one in which conventions are unchecked. */
const strictOf = new WeakMap<SpaceAnalysis, SpaceAnalysis>();
const conventions = new WeakMap<SpaceAnalysis, Conventions>();
/** The broken links, of those that are unchecked. */
const brokenOf = new WeakMap<Link, Link>();

/** Leaves the links unchecked that follow a convention of their space. */
export function withConventions(strict: SpaceAnalysis): SpaceAnalysis {
  return uncheck(strict, conventionsIn(strict));
}

/**
 * Both sides of a comparison with the conventions of the base: links of one kind that a change adds are its mistakes, however
 * many there are. A space that only one side has is strict, so that links of a moved folder are found on both sides.
 */
export function shareConventions<Part extends Analysed>(
  base: readonly Part[],
  head: readonly Part[],
): { readonly base: readonly Part[]; readonly head: readonly Part[] } {
  const newer = new Set(head.map(keyOfSpace));
  const known = new Map(
    base.map((part) => {
      const key = keyOfSpace(part);
      return [key, newer.has(key) ? conventionsIn(strictIn(part.analysis)) : NONE];
    }),
  );
  const share = (part: Part): Part => {
    const strict = strictIn(part.analysis);
    const shared = known.get(keyOfSpace(part)) ?? NONE;
    return strict === part.analysis && shared === NONE
      ? part
      : { ...part, analysis: uncheck(strict, shared) };
  };
  return { base: base.map(share), head: head.map(share) };
}

/** Returns the broken link that was left unchecked as part of a convention; null for other links. */
export function brokenWithoutConventions(link: Link): Link | null {
  return brokenOf.get(link) ?? null;
}

function keyOfSpace({ analysis }: Analysed): string {
  return `${analysis.format} ${analysis.directory}`;
}

function strictIn(analysis: SpaceAnalysis): SpaceAnalysis {
  return strictOf.get(analysis) ?? analysis;
}

function conventionsIn(strict: SpaceAnalysis): Conventions {
  const known = conventions.get(strict) ?? findConventions(strict);
  conventions.set(strict, known);
  return known;
}

function findConventions(analysis: SpaceAnalysis): Conventions {
  // The other formats know how links lead.
  if (analysis.format !== 'github') return NONE;
  const missing = new Map<string, { shape: LinkShape; example: Link; links: Set<string> }>();
  for (const link of linksIn(brokenListsOf(analysis))) {
    const shape = shapeOfBroken(link);
    if (shape === null) continue;
    const group = missing.get(shape.words) ?? { shape, example: link, links: new Set() };
    group.links.add(keyOf(link));
    missing.set(shape.words, group);
  }
  if (missing.size === 0) return NONE;
  // What is unchecked as an address of a site shows how the others of its kind are meant.
  for (const link of linksIn(linkListsOf(analysis))) {
    if (link.status !== 'unchecked' || !/^\/(?!\/)/.test(link.target)) continue;
    missing.get(shapeOfPath(link)?.words ?? '')?.links.add(keyOf(link));
  }
  for (const [words, { links }] of missing) if (links.size < MIN_MISSING) missing.delete(words);
  if (missing.size === 0) return NONE;
  const found = new Map<string, Set<string>>();
  for (const link of linksIn(linkListsOf(analysis))) {
    if (link.status !== 'ok' || link.destination === null) continue;
    for (const shape of [shapeOfPath(link), shapeOfFragment(link)]) {
      if (shape === null || !missing.has(shape.words)) continue;
      const links = found.get(shape.words) ?? new Set();
      found.set(shape.words, links.add(keyOf(link)));
    }
  }
  const known = new Map<string, Convention>();
  for (const [words, { shape, example, links }] of missing) {
    const count = found.get(words)?.size ?? 0;
    if (links.size >= count * shape.ratio) known.set(words, { missing: links.size, found: count, example });
  }
  return known.size === 0 ? NONE : known;
}

/** The links of the files that somebody may publish: READMEs and the like are read on the repository's host. */
function* linksIn(lists: readonly (readonly Link[])[]): Iterable<Link> {
  for (const list of lists) if (list[0] !== undefined && !isHostFile(list[0].file)) yield* list;
}

function keyOf({ file, target }: Link): string {
  return `${file} ${target}`;
}

function shapeOfBroken(link: Link): LinkShape | null {
  if (link.rule === 'missing-anchor') return shapeOfFragment(link);
  const isMissing = link.rule === 'missing-page' || link.rule === 'missing-file';
  return isMissing || link.rule === 'outside-repository' ? shapeOfPath(link) : null;
}

interface Unchecked {
  readonly key: string;
  readonly list: readonly Link[];
}

/** Lists of links with unchecked conventions: the same objects as long as list and conventions are the same. */
const uncheckedLists = new WeakMap<readonly Link[], Unchecked>();

function uncheck(strict: SpaceAnalysis, known: Conventions): SpaceAnalysis {
  if (known.size === 0) return strict;
  const key = [...known.keys()].sort().join('\n');
  const replaceIn = (list: readonly Link[]): readonly Link[] => {
    const before = uncheckedLists.get(list);
    if (before?.key === key) return before.list;
    const unchecked = list.some((link) => isConventional(link, known))
      ? list.map((link) => (isConventional(link, known) ? toUnchecked(link) : link))
      : list;
    uncheckedLists.set(list, { key, list: unchecked });
    return unchecked;
  };
  const analysis = withLists(strict, replaceIn, [...known].map(explain));
  strictOf.set(analysis, strict);
  return analysis;
}

function isConventional(link: Link, known: Conventions): boolean {
  if (link.status !== 'broken' || isHostFile(link.file)) return false;
  const shape = shapeOfBroken(link);
  return shape !== null && known.has(shape.words);
}

function toUnchecked(link: Link): Link {
  const words = shapeOfBroken(link)?.words ?? '';
  const message = `Most links ${words} lead nowhere here, so what publishes the pages seems to lead them in a way of its own.`;
  const unchecked: Link = { ...link, status: 'unchecked', rule: null, suggestion: null, message };
  brokenOf.set(unchecked, link);
  return unchecked;
}

function explain([words, { missing, found, example }]: readonly [string, Convention]): FileProblem {
  return {
    file: example.file,
    line: example.line,
    rule: 'unknown-convention',
    message: `${missing} links ${words}, such as ${example.target}, lead nowhere here, and ${found === 0 ? 'none leads' : found === 1 ? 'only one leads' : `only ${found} lead`} to anything: what publishes the pages seems to lead them in a way that is not known, so they are not checked.`,
  };
}
