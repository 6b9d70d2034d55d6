import {
  type DestinationEdit,
  destinationsAfterMove,
  isStraight,
  rewriteDestinations,
} from '../../content/fix/index.ts';
import type { Link, SpaceAnalysis } from '../../content/index.ts';
import { CONTENTS, linksByFile, locationOf } from './find-worse.ts';
import type { PlannedText, PlannedTexts, PlannedTree } from './planned-tree.ts';

/** One destination that has to say something else, in the file's new place. */
export interface PlannedEdit {
  /** Where the file stands after the move. */
  readonly file: string;
  readonly line: number;
  readonly target: string;
  readonly to: string;
}

export interface LinksInput {
  readonly before: readonly SpaceAnalysis[];
  /** Texts that are changed already. */
  readonly base: PlannedTexts;
  readonly planned: PlannedTree;
  /** The repository after the move with these texts. */
  readonly analyse: (texts: PlannedTexts) => Promise<readonly SpaceAnalysis[]>;
}

export interface PlannedLinks {
  readonly edits: readonly PlannedEdit[];
  readonly texts: PlannedTexts;
  readonly after: readonly SpaceAnalysis[];
  /** What is wrong with the likeliest new words of links that found none, by file after the move and number of the link. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** A link whose destination needs other words, with those that are still to be tried. */
interface Candidate {
  readonly before: Link;
  /** The link in the moved tree, where its places are the same. */
  readonly link: Link;
  /** Which of the file's links it is. */
  readonly index: number;
  readonly expected: string;
  readonly ways: string[];
}

/**
 * Finds for each link words with which it leads where it leads now. Ways of writing are tried, a round for all links at
 * once, until each leads to the right place or has none left; only words that were seen to be right are kept.
 */
export async function planLinks({ before, base, planned, analyse }: LinksInput): Promise<PlannedLinks> {
  const first = await analyse(base);
  const now = linksByFile(first);
  let open: Candidate[] = [];
  const old = linksByFile(before);
  const habit = new DotHabit(old);
  for (const [file, links] of old) {
    const newLinks = now.get(planned.moved(file)) ?? [];
    // The same bytes hold the same links; a file that became another kind of page is for people to look at.
    if (newLinks.length !== links.length) continue;
    const dotted = habit.of(file);
    for (const [index, link] of links.entries()) {
      const newLink = newLinks[index] ?? link;
      open.push(...candidate({ before: link, link: newLink, index, dotted }, planned.moved));
    }
  }
  if (open.length === 0) return { edits: [], texts: base, after: first, reasons: new Map() };
  const chosen = new Map<Candidate, string>();
  const reasons = new Map<string, string>();
  while (open.length > 0) {
    const tried = new Map(chosen);
    for (const one of open) {
      const way = one.ways.shift();
      if (way !== undefined) tried.set(one, way);
    }
    open = open.filter((one) => tried.has(one));
    if (open.length === 0) break;
    const links = linksByFile(await analyse((await write(tried, base, planned)).texts));
    for (const one of open) {
      const link = links.get(one.link.file)?.[one.index];
      const way = tried.get(one) ?? '';
      if (link?.target !== way) continue;
      if (leadsTo(link, one.before, one.expected)) chosen.set(one, way);
      const key = `${one.link.file}\0${one.index}`;
      // Words that lead to the right place, and are broken all the same, say best why.
      if (link.message !== null && (!reasons.has(key) || locationOf(link) === one.expected))
        reasons.set(key, link.message);
    }
    open = open.filter((one) => !chosen.has(one));
  }
  const written = await write(chosen, base, planned);
  return { ...written, after: await analyse(written.texts), reasons };
}

/**
 * None when the link may stay as it is: it leads to the right place, and not by a detour that it did not take before
 * (`../guide/a.md` in the folder `guide`).
 */
function candidate(
  {
    before,
    link,
    index,
    dotted,
  }: Pick<Candidate, 'before' | 'link' | 'index'> & { readonly dotted: boolean },
  moved: (path: string) => string,
): Candidate[] {
  const path = locationOf(before);
  if (path === null) return [];
  const expected = moved(path);
  const { target, file } = before;
  // Where nothing is, nothing moved: such a link keeps its words, but in a page that moved away from it.
  const isNothing = before.resolved === null && before.status === 'broken';
  if (isNothing && (link.file === file || expected !== path)) return [];
  const isRight = leadsTo(link, before, expected);
  if (isRight && (link.file === file || !target.startsWith('../'))) return [];
  if (isRight && !isStraight({ target, file, path })) return [];
  const asked = { target, file, newFile: link.file, path, newPath: expected, dotted };
  const ways = destinationsAfterMove(asked);
  if (isRight) return ways.slice(0, 1).map((way) => ({ before, link, index, expected, ways: [way] }));
  // A chapter is read by other rules until its entry in the table of contents is written: then its words may be right.
  const same = link.file !== file && expected === path ? [target] : [];
  // The engine knows how the builder of the docs says a path, where it can tell at all.
  const all = [...same, ...ways, ...(link.suggestion === null ? [] : [link.suggestion])].filter(
    // No builder publishes what its table of contents lists outside its own folder.
    (way) => !way.startsWith('../') || target.startsWith('../') || !CONTENTS.test(file),
  );
  return [{ before, link, index, expected, ways: [...new Set(all)] }];
}

/** Whether authors write `./` before the names of files beside the page: in this page, else in most. */
class DotHabit {
  readonly #links: ReadonlyMap<string, readonly Link[]>;
  readonly #most: boolean;

  constructor(links: ReadonlyMap<string, readonly Link[]>) {
    this.#links = links;
    const all = [...links.values()].map(balance);
    this.#most = all.reduce((sum, one) => sum + one, 0) > 0;
  }

  of(file: string): boolean {
    const own = balance(this.#links.get(file) ?? []);
    return own === 0 ? this.#most : own > 0;
  }
}

/** How many more links begin with `./` than with a name. */
function balance(links: readonly Link[]): number {
  let sum = 0;
  for (const { target, resolved } of links) {
    if (target.startsWith('./')) sum += 1;
    else if (resolved !== null && /^[\w%]/.test(target) && !/^[a-z][a-z\d+.-]*:/i.test(target)) sum -= 1;
  }
  return sum;
}

async function write(
  chosen: ReadonlyMap<Candidate, string>,
  base: PlannedTexts,
  planned: PlannedTree,
): Promise<Pick<PlannedLinks, 'edits' | 'texts'>> {
  const changed = [...chosen].filter(([{ link }, to]) => link.target !== to);
  const wanted = changed.map(([{ link }, to]): DestinationEdit & PlannedEdit => ({ ...link, to }));
  const texts = new Map<string, PlannedText>(base);
  const edits: PlannedEdit[] = [];
  for (const [file, some] of Map.groupBy(wanted, (one) => one.file)) {
    const before = base.get(file)?.before ?? (await planned.textAt(file));
    const text = base.get(file)?.after ?? before;
    if (text === null) continue;
    const { source, applied } = rewriteDestinations(text, some);
    edits.push(...applied.map(({ line, target, to }) => ({ file, line, target, to })));
    if (applied.length > 0) texts.set(file, { before, after: source });
  }
  return { edits, texts };
}

/** Whether a link says of the new place what it said of the old one. */
function leadsTo(link: Link, before: Link, expected: string): boolean {
  return locationOf(link) === expected && link.status === before.status && link.rule === before.rule;
}
