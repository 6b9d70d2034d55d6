import type { ReadBlobs } from '../../engine/index.ts';
import type { TreeEntry } from '../../model/index.ts';

/** The files of a repository in which something moves. */
export interface FilesToMove {
  readonly entries: readonly TreeEntry[];
  /** The bytes of a file, or the target of a symbolic link; null when they are not available. */
  read(entry: TreeEntry): Promise<Uint8Array | null>;
  readonly readBlobs: ReadBlobs;
  /** Identifies a text that a file may get. */
  oidOf(path: string, text: string): string;
}

/** The text of a file that changes; `before` is null for a new file. For a symbolic link, its target. */
export interface PlannedText {
  readonly before: string | null;
  readonly after: string;
}

/** Texts that change, by the file's path after the move. */
export type PlannedTexts = ReadonlyMap<string, PlannedText>;

/** A repository as it will be after everything at one path moved to another. */
export class PlannedTree {
  readonly #tree: FilesToMove;
  readonly #from: string;
  readonly #to: string | null;
  /** Whether what is at `from` is deleted, and `to`, if any, takes its place. */
  readonly isDeletion: boolean;
  readonly #old = new Map<string, TreeEntry>();

  constructor(
    tree: FilesToMove,
    {
      from,
      to,
      isDeletion,
    }: { readonly from: string; readonly to: string | null; readonly isDeletion: boolean },
  ) {
    this.#tree = tree;
    this.#from = from;
    this.#to = to;
    this.isDeletion = isDeletion;
    for (const entry of tree.entries) {
      if (isDeletion && this.#isBelow(entry.path)) continue;
      this.#old.set(this.moved(entry.path), entry);
    }
  }

  /** Whether the file at a path before the change is deleted. */
  isGone(path: string): boolean {
    return this.isDeletion && this.#isBelow(path);
  }

  #isBelow(path: string): boolean {
    return path === this.#from || path.startsWith(`${this.#from}/`);
  }

  /** The path of a file or folder after the move; of a deleted one, the path of what takes its place. */
  readonly moved = (path: string): string => {
    if (this.#to === null) return path;
    if (path === this.#from) return this.#to;
    if (this.isDeletion) return path;
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
      return { ...rest, path, oid: this.#tree.oidOf(path, text) };
    });
    for (const [path, { before, after }] of texts) {
      if (before === null && !this.#old.has(path))
        entries.push({ path, oid: this.#tree.oidOf(path, after), mode: 'file' });
    }
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  readWith(texts: PlannedTexts): ReadBlobs {
    const readOld = this.#tree.readBlobs;
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
