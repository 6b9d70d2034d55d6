import {
  type DestinationEdit,
  destinationsAfterMove,
  isStraight,
  rewriteDestinations,
} from '../../fix/index.ts';
import type { Link, SpaceAnalysis } from '../../model/index.ts';
import { CONTENTS, linksByFile, locationOf } from './find-worse.ts';
import type { PlannedText, PlannedTexts, PlannedTree } from './planned-tree.ts';

/** One destination to be rewritten, in the file's new path. */
export interface PlannedEdit {
  /** The file's path after the move. */
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
  /** Why no working destination was found for a link: the message for the likeliest one, by file after the move and number of the link. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** A link that needs another destination, with those that are still to be tried. */
interface Candidate {
  readonly before: Link;
  /** The link in the moved tree, at the same position. */
  readonly link: Link;
  /** The index among the file's links. */
  readonly index: number;
  readonly expected: string;
  readonly destinations: string[];
}

/**
 * Finds for each link a destination that leads where it leads now. All links are tried at once, one destination each per
 * round, until each leads to the right file or has none left; only destinations that were verified are used.
 */
export async function planLinks({ before, base, planned, analyse }: LinksInput): Promise<PlannedLinks> {
  const first = await analyse(base);
  const now = linksByFile(first);
  let open: Candidate[] = [];
  const old = linksByFile(before);
  const style = new DotStyle(old);
  for (const [file, links] of old) {
    // A deleted page leaves a table of contents, where nothing takes its place.
    if (planned.isGone(file) || (planned.isDeletion && CONTENTS.test(file))) continue;
    const newLinks = now.get(planned.moved(file)) ?? [];
    // The same bytes contain the same links; a file that became another kind of page is left to people.
    if (newLinks.length !== links.length) continue;
    const dotted = style.of(file);
    for (const [index, link] of links.entries()) {
      const newLink = newLinks[index] ?? link;
      open.push(...candidate({ before: link, link: newLink, index, dotted }, planned));
    }
  }
  if (open.length === 0) return { edits: [], texts: base, after: first, reasons: new Map() };
  const chosen = new Map<Candidate, string>();
  const reasons = new Map<string, string>();
  while (open.length > 0) {
    const tried = new Map(chosen);
    for (const link of open) {
      const destination = link.destinations.shift();
      if (destination !== undefined) tried.set(link, destination);
    }
    open = open.filter((link) => tried.has(link));
    if (open.length === 0) break;
    const links = linksByFile(await analyse((await write(tried, base, planned)).texts));
    for (const attempt of open) {
      const link = links.get(attempt.link.file)?.[attempt.index];
      const destination = tried.get(attempt) ?? '';
      if (link?.target !== destination) continue;
      if (leadsTo(link, attempt.before, attempt.expected)) chosen.set(attempt, destination);
      const key = `${attempt.link.file}\0${attempt.index}`;
      // A destination that leads to the right file but is broken all the same has the best explanation.
      if (link.message !== null && (!reasons.has(key) || locationOf(link) === attempt.expected))
        reasons.set(key, link.message);
    }
    open = open.filter((link) => !chosen.has(link));
  }
  const written = await write(chosen, base, planned);
  return { ...written, after: await analyse(written.texts), reasons };
}

/**
 * Empty when the link may stay as it is: it leads to the right file, and not by a detour that it did not take before
 * (`../guide/a.md` in the folder `guide`).
 */
function candidate(
  {
    before,
    link,
    index,
    dotted,
  }: Pick<Candidate, 'before' | 'link' | 'index'> & { readonly dotted: boolean },
  { moved, isDeletion }: Pick<PlannedTree, 'moved' | 'isDeletion'>,
): Candidate[] {
  const path = locationOf(before);
  if (path === null) return [];
  const expected = moved(path);
  const { target, file } = before;
  // A target that does not exist did not move: such a link stays as it is, unless its page moved away from the target.
  const isNothing = before.resolved === null && before.status === 'broken';
  if (isNothing && (link.file === file || expected !== path)) return [];
  const isRight = leadsTo(link, before, expected);
  if (isRight && (link.file === file || !target.startsWith('../'))) return [];
  if (isRight && !isStraight({ target, file, path })) return [];
  const move = { target, file, newFile: link.file, path, newPath: expected, dotted };
  // What takes the place of a page rarely has its headings.
  const destinations = destinationsAfterMove(move).flatMap((destination) =>
    isDeletion ? [destination, destination.replace(/#[\s\S]*$/, '')] : [destination],
  );
  if (isRight)
    return destinations
      .slice(0, 1)
      .map((first) => ({ before, link, index, expected, destinations: [first] }));
  // Other rules apply to a chapter until its entry in the table of contents is written: then its destination may work.
  const same = link.file !== file && expected === path ? [target] : [];
  // The engine knows how the builder of the docs spells a path, if it can know at all.
  const all = [...same, ...destinations, ...(link.suggestion === null ? [] : [link.suggestion])].filter(
    // No builder publishes what its table of contents lists outside its own folder.
    (destination) => !destination.startsWith('../') || target.startsWith('../') || !CONTENTS.test(file),
  );
  return [{ before, link, index, expected, destinations: [...new Set(all)] }];
}

/** Whether authors write `./` before the names of files in the same folder: in this page, else in most pages. */
class DotStyle {
  readonly #links: ReadonlyMap<string, readonly Link[]>;
  readonly #most: boolean;

  constructor(links: ReadonlyMap<string, readonly Link[]>) {
    this.#links = links;
    const all = [...links.values()].map(balance);
    this.#most = all.reduce((sum, count) => sum + count, 0) > 0;
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
  for (const [file, fileEdits] of Map.groupBy(wanted, ({ file }) => file)) {
    const before = base.get(file)?.before ?? (await planned.textAt(file));
    const text = base.get(file)?.after ?? before;
    if (text === null) continue;
    const { source, applied } = rewriteDestinations(text, fileEdits);
    edits.push(...applied.map(({ line, target, to }) => ({ file, line, target, to })));
    if (applied.length > 0) texts.set(file, { before, after: source });
  }
  return { edits, texts };
}

/** Whether a link leads to the new location just as it led to the old one. */
function leadsTo(link: Link, before: Link, expected: string): boolean {
  return locationOf(link) === expected && link.status === before.status && link.rule === before.rule;
}
