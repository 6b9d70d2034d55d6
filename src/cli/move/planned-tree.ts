import { createHash } from 'node:crypto';
import type { ReadBlobs, TreeEntry } from '../../content/index.ts';
import { readFrom } from '../check/read-from.ts';
import type { WorkTree } from '../check/work-tree.ts';

/** The text of a file that changes; `before` is null for a new file. For a symbolic link, its target. */
export interface PlannedText {
  readonly before: string | null;
  readonly after: string;
}

/** Texts that change, by the file's path after the move. */
export type PlannedTexts = ReadonlyMap<string, PlannedText>;

/** A work tree as it will be after everything at one path moved to another. */
export class PlannedTree {
  readonly #tree: WorkTree;
  readonly #from: string;
  readonly #to: string;
  readonly #old = new Map<string, TreeEntry>();

  constructor(tree: WorkTree, from: string, to: string) {
    this.#tree = tree;
    this.#from = from;
    this.#to = to;
    for (const entry of tree.entries) this.#old.set(this.moved(entry.path), entry);
  }

  /** The path of a file or folder after the move. */
  readonly moved = (path: string): string => {
    if (path === this.#from) return this.#to;
    return path.startsWith(`${this.#from}/`) ? this.#to + path.slice(this.#from.length) : path;
  };

  /** Renames of files, relative to the current tree. */
  get renames() {
    return [...this.#old].flatMap(([path, entry]) =>
      path === entry.path ? [] : [{ from: entry.path, to: path }],
    );
  }

  /** The current text at a path after the move; null if it is not a text or absent. */
  async textAt(path: string): Promise<string | null> {
    const entry = this.#old.get(path);
    const bytes = entry === undefined || entry.mode === 'submodule' ? null : await this.#tree.read(entry);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  entriesWith(texts: PlannedTexts): readonly TreeEntry[] {
    const entries = [...this.#old].map(([path, entry]): TreeEntry => {
      const text = texts.get(path)?.after;
      if (text === undefined) return { ...entry, path };
      const { size: _size, ...rest } = entry;
      return { ...rest, path, oid: oidOf(path, text) };
    });
    for (const [path, { before, after }] of texts) {
      if (before === null && !this.#old.has(path))
        entries.push({ path, oid: oidOf(path, after), mode: 'file' });
    }
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  readWith(texts: PlannedTexts): ReadBlobs {
    const readOld = readFrom(this.#tree);
    const known = this.#old;
    return async function* (entries) {
      const old: TreeEntry[] = [];
      for (const entry of entries) {
        const text = texts.get(entry.path)?.after;
        if (text !== undefined) yield { oid: entry.oid, bytes: new TextEncoder().encode(text) };
        else old.push(known.get(entry.path) ?? entry);
      }
      yield* readOld(old);
    };
  }
}

function oidOf(path: string, text: string): string {
  return createHash('sha1').update(`${path}\0${text}`).digest('hex');
}
