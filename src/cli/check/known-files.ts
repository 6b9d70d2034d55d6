import type { IgnoreComments } from '../../content/ignore/index.ts';
import type { FactsStore, FileFacts, Oid, TreeEntry } from '../../content/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import { isOwnOid } from './own-oid.ts';

/** The comments of a file, as Markdown has them and as MDX does. */
export interface FileComments {
  readonly markdown: IgnoreComments;
  readonly mdx: IgnoreComments;
}

/** What is kept of one file: its facts by the key of the reading, and its comments where it has any. */
interface KnownFile {
  facts: Record<string, FileFacts>;
  comments?: FileComments;
}

/** A key and what is kept under it, as JSON. */
type Line = readonly [string, string];

type Reading = Parameters<FactsStore['get']>[1];

/**
 * What earlier runs found out about files, by what is in them. A file is known by its oid and its size: git may change
 * the bytes of a file at checkout, and then the oid speaks of others than those on disk.
 */
export class KnownFiles implements FactsStore {
  /** As they were kept, to be parsed when they are asked for. */
  readonly #lines: ReadonlyMap<string, string>;
  readonly #open = new Map<string, KnownFile>();
  readonly #comments = new Map<Oid, FileComments>();
  readonly #changed = new Set<string>();

  /** `lines` are those of `KnownFiles.lines` of an earlier run. */
  constructor(lines: ReadonlyMap<string, string>) {
    this.#lines = lines;
  }

  /** Whether there is anything that was not known before. */
  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  get(entry: TreeEntry, reading: Reading): FileFacts | undefined {
    const facts = this.#find(entry)?.facts;
    return facts !== undefined && Object.hasOwn(facts, reading.key) ? facts[reading.key] : undefined;
  }

  /** Keeps the facts if the bytes are those that the oid names: the file may have changed since it was listed. */
  set(entry: TreeEntry, reading: Reading, facts: FileFacts, bytes: Uint8Array): void {
    if (isOwnOid(entry.oid) || !isOf(entry, bytes)) return;
    const key = keyOf(entry);
    const comments = this.#comments.get(entry.oid);
    const known = this.#find(entry)?.facts;
    this.#open.set(key, { facts: { ...known, [reading.key]: facts }, ...(comments && { comments }) });
    this.#changed.add(key);
  }

  commentsOf(entry: TreeEntry): FileComments | undefined {
    return this.#find(entry)?.comments;
  }

  /** Keeps the comments of a file whose facts are about to be set. */
  setComments(oid: Oid, comments: FileComments): void {
    this.#comments.set(oid, comments);
  }

  /** What is to be kept, by key: what this run used first, then the rest as long as it was. */
  lines(): { readonly used: Iterable<Line>; readonly unused: Iterable<Line> } {
    return { used: this.#used(), unused: this.#unused() };
  }

  /** One at a time: all of them are many. */
  *#used(): Iterable<Line> {
    for (const [key, file] of this.#open) {
      const line = this.#changed.has(key) ? undefined : this.#lines.get(key);
      yield [key, line ?? JSON.stringify(file)];
    }
  }

  *#unused(): Iterable<Line> {
    for (const line of this.#lines) {
      if (!this.#open.has(line[0])) yield line;
    }
  }

  #find(entry: TreeEntry): KnownFile | undefined {
    const key = keyOf(entry);
    const open = this.#open.get(key);
    if (open !== undefined) return open;
    const line = this.#lines.get(key);
    if (line === undefined) return undefined;
    const file = parseLine(line);
    if (file !== undefined) this.#open.set(key, file);
    return file;
  }
}

/** Undefined for what no run of this program wrote. */
function parseLine(line: string): KnownFile | undefined {
  try {
    const file: KnownFile = JSON.parse(line);
    return typeof file.facts === 'object' && file.facts !== null ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The size of a symbolic link is not told by every tree. */
function keyOf({ oid, mode, size }: TreeEntry): string {
  return `${oid}.${mode === 'symlink' ? 'link' : (size ?? '')}`;
}

function isOf({ oid }: TreeEntry, bytes: Uint8Array): boolean {
  return objectOid('blob', bytes, hashOf(oid)) === oid;
}
