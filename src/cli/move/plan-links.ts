import { type DestinationEdit, destinationsAfterMove, rewriteDestinations } from '../../content/fix/index.ts';
import type { Link, SpaceAnalysis } from '../../content/index.ts';
import { linksByFile, placeOf } from './find-worse.ts';
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
  for (const [file, links] of linksByFile(before)) {
    const newLinks = now.get(planned.moved(file)) ?? [];
    // The same bytes hold the same links; a file that became another kind of page is for people to look at.
    if (newLinks.length !== links.length) continue;
    open.push(
      ...links.flatMap((link, index) => candidate(link, newLinks[index] ?? link, index, planned.moved)),
    );
  }
  if (open.length === 0) return { edits: [], texts: base, after: first };
  const chosen = new Map<Candidate, string>();
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
      if (link?.target === way && leadsTo(link, one.before, one.expected)) chosen.set(one, way);
    }
    open = open.filter((one) => !chosen.has(one));
  }
  const written = await write(chosen, base, planned);
  return { ...written, after: await analyse(written.texts) };
}

/** None when the link leads to the right place as it stands. */
function candidate(before: Link, link: Link, index: number, moved: (path: string) => string): Candidate[] {
  const path = placeOf(before);
  if (path === null) return [];
  const expected = moved(path);
  if (leadsTo(link, before, expected)) return [];
  const { target, file } = before;
  const ways = destinationsAfterMove({ target, file, newFile: link.file, path, newPath: expected });
  // The engine knows how the builder of the docs says a path, where it can tell at all.
  const all = link.suggestion === null ? ways : [...ways, link.suggestion];
  return [{ before, link, index, expected, ways: [...new Set(all)] }];
}

async function write(
  chosen: ReadonlyMap<Candidate, string>,
  base: PlannedTexts,
  planned: PlannedTree,
): Promise<Omit<PlannedLinks, 'after'>> {
  const wanted = [...chosen].map(([{ link }, to]): DestinationEdit & PlannedEdit => ({ ...link, to }));
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
  return placeOf(link) === expected && link.status === before.status && link.rule === before.rule;
}
