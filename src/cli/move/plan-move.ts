import { createHash } from 'node:crypto';
import { type DestinationEdit, destinationsAfterMove, rewriteDestinations } from '../../content/fix/index.ts';
import {
  createEngine,
  type DetectedSpace,
  type Engine,
  type Link,
  type TreeEntry,
} from '../../content/index.ts';
import { analyseAll } from '../check/analyse-all.ts';
import { readFrom } from '../check/read-from.ts';
import type { WorkTree } from '../check/work-tree.ts';

/** One destination that has to say something else, in the file's new place. */
export interface PlannedEdit extends DestinationEdit {
  /** Where the file stands after the move. */
  readonly file: string;
}

export interface MovePlan {
  readonly edits: readonly PlannedEdit[];
  /** The new text of each file that changes, by its path after the move, and the text that it must have before. */
  readonly texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
  /** Links that would lead elsewhere, and for which no other destination was found that leads to the right place. */
  readonly unsure: readonly Link[];
}

/** Plans what the links must say when everything at `from` (a file or folder) stands at `to`. Reads only. */
export async function planMove(
  tree: WorkTree,
  spaces: readonly DetectedSpace[],
  from: string,
  to: string,
): Promise<MovePlan> {
  return await new MovePlanner(tree, spaces, from, to).plan();
}

/** A link whose destination may need other words, with those that are still to be tried. */
interface Candidate {
  readonly before: Link;
  /** The link in the moved tree, where its places are the same. */
  readonly link: Link;
  /** Which of the file's links it is. */
  readonly index: number;
  readonly expected: string;
  readonly ways: string[];
}

class MovePlanner {
  readonly #tree: WorkTree;
  readonly #spaces: readonly DetectedSpace[];
  readonly #from: string;
  readonly #to: string;
  readonly #engine: Engine = createEngine();
  readonly #oldPaths = new Map<string, TreeEntry>();

  constructor(tree: WorkTree, spaces: readonly DetectedSpace[], from: string, to: string) {
    this.#tree = tree;
    this.#spaces = spaces;
    this.#from = from;
    this.#to = to;
  }

  async plan(): Promise<MovePlan> {
    const { entries } = this.#tree;
    const before = await analyseAll(this.#engine, {
      tree: entries,
      spaces: this.#spaces,
      read: readFrom(this.#tree),
    });
    for (const entry of entries) this.#oldPaths.set(this.#moved(entry.path), entry);
    const after = groupByFile(await this.#analyseMoved(new Map()));
    const open: Candidate[] = [];
    const unsure: Link[] = [];
    for (const [file, links] of groupByFile(before)) {
      const newLinks = after.get(this.#moved(file)) ?? [];
      // The same bytes hold the same links; a file that became another kind of page is for people to look at.
      if (newLinks.length !== links.length) unsure.push(...links);
      else
        open.push(...links.flatMap((link, index) => this.#candidate(link, newLinks[index] ?? link, index)));
    }
    return await this.#choose(open, unsure);
  }

  #moved(path: string): string {
    if (path === this.#from) return this.#to;
    return path.startsWith(`${this.#from}/`) ? this.#to + path.slice(this.#from.length) : path;
  }

  /** None when the link leads to the right place as it stands. */
  #candidate(before: Link, link: Link, index: number): Candidate[] {
    const path = placeOf(before);
    if (path === null) return [];
    const expected = this.#moved(path);
    if (expected === path && link.file === before.file) return [];
    if (leadsTo(link, before, expected)) return [];
    const { target, file } = before;
    const ways = destinationsAfterMove({ target, file, newFile: link.file, path, newPath: expected });
    // The engine knows how the builder of the docs says a path, where it can tell at all.
    const all = link.suggestion === null ? ways : [...ways, link.suggestion];
    return [{ before, link, index, expected, ways: [...new Set(all)] }];
  }

  /** Tries the ways of writing, a round for all links at once, until each leads to the right place or has none left. */
  async #choose(all: readonly Candidate[], unsure: Link[]): Promise<MovePlan> {
    const chosen = new Map<Candidate, string>();
    let open = all;
    for (;;) {
      const tried = new Map(chosen);
      for (const one of open) {
        const way = one.ways.shift();
        if (way === undefined) unsure.push(one.before);
        else tried.set(one, way);
      }
      open = open.filter((one) => tried.has(one));
      const plan = await this.#write(tried);
      if (open.length === 0) return { ...plan, unsure };
      const links = groupByFile(await this.#analyseMoved(plan.texts));
      const isRight = (one: Candidate) => {
        const link = links.get(one.link.file)?.[one.index];
        return (
          link !== undefined && link.target === tried.get(one) && leadsTo(link, one.before, one.expected)
        );
      };
      for (const one of open) if (isRight(one)) chosen.set(one, tried.get(one) ?? '');
      open = open.filter((one) => !chosen.has(one));
      if (open.length === 0) return { ...(await this.#write(chosen)), unsure };
    }
  }

  async #write(chosen: ReadonlyMap<Candidate, string>): Promise<Omit<MovePlan, 'unsure'>> {
    const wanted = [...chosen].map(([{ link }, to]): PlannedEdit => ({ ...link, to }));
    const texts = new Map<string, { readonly before: string; readonly after: string }>();
    const edits: PlannedEdit[] = [];
    for (const [file, some] of groupByFile(wanted)) {
      const entry = this.#oldPaths.get(file);
      const bytes = entry === undefined ? null : await this.#tree.read(entry);
      if (bytes === null) continue;
      const before = new TextDecoder().decode(bytes);
      const { source, applied } = rewriteDestinations(before, some);
      edits.push(...applied);
      if (applied.length > 0) texts.set(file, { before, after: source });
    }
    return { edits, texts };
  }

  /** The links as they are when everything moved and the texts are in place. */
  async #analyseMoved(texts: MovePlan['texts']): Promise<readonly Link[]> {
    const tree = [...this.#oldPaths].map(([path, entry]): TreeEntry => {
      const text = texts.get(path)?.after;
      return text === undefined ? { ...entry, path } : { ...entry, path, oid: oidOf(path, text) };
    });
    tree.sort((a, b) => (a.path < b.path ? -1 : 1));
    const readOld = readFrom(this.#tree);
    const oldPaths = this.#oldPaths;
    const renames = [...oldPaths].flatMap(([path, entry]) =>
      path === entry.path ? [] : [{ from: entry.path, to: path }],
    );
    return await analyseAll(this.#engine, {
      tree,
      renames,
      spaces: this.#spaces.map((space) => ({ ...space, directory: this.#moved(space.directory) })),
      async *read(entries) {
        const old: TreeEntry[] = [];
        for (const entry of entries) {
          const text = texts.get(entry.path)?.after;
          if (text !== undefined) yield { oid: entry.oid, bytes: new TextEncoder().encode(text) };
          else old.push(oldPaths.get(entry.path) ?? entry);
        }
        yield* readOld(old);
      },
    });
  }
}

/** The file or folder that a link leads to, or would if it were there; null for links that leave the repository. */
function placeOf(link: Link): string | null {
  if (link.resolved !== null) return link.resolved.path;
  return link.status === 'ok' || link.status === 'broken' ? link.destination : null;
}

/** Whether a link says of the new place what it said of the old one. */
function leadsTo(link: Link, before: Link, expected: string): boolean {
  return placeOf(link) === expected && link.status === before.status && link.rule === before.rule;
}

function groupByFile<Item extends { readonly file: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  return Map.groupBy(items, (one) => one.file);
}

function oidOf(path: string, text: string): string {
  return createHash('sha1').update(`${path}\0${text}`).digest('hex');
}
