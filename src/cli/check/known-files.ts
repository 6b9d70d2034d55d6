import type { IgnoreComments } from '../../content/ignore/index.ts';
import type { FactsStore, FileFacts, Oid, TreeEntry } from '../../content/index.ts';
import { hashOf, objectOid } from '../../git/index.ts';
import { isOwnOid } from './own-oid.ts';

/** The comments of a file when read as Markdown and when read as MDX. */
export interface FileComments {
  readonly markdown: IgnoreComments;
  readonly mdx: IgnoreComments;
}

/** What is cached of one file: its facts by the key of the parse, and its comments if it has any. */
interface KnownFile {
  facts: Record<string, FileFacts>;
  comments?: FileComments;
}

/** A key and its cached value as JSON. */
type Line = readonly [string, string];

type Reading = Parameters<FactsStore['get']>[1];

/**
 * What earlier runs found out about files, by their content. A file is identified by its oid and its size: git may
 * change the bytes of a file at checkout, and then the oid names other bytes than those on disk.
 */
export class KnownFiles implements FactsStore {
  /** As cached; parsed on first use. */
  readonly #lines: ReadonlyMap<string, string>;
  readonly #open = new Map<string, KnownFile>();
  readonly #comments = new Map<Oid, FileComments>();
  readonly #changed = new Set<string>();

  /** `lines` are those of `KnownFiles.lines` of an earlier run. */
  constructor(lines: ReadonlyMap<string, string>) {
    this.#lines = lines;
  }

  /** Whether this run found out anything new. */
  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  get(entry: TreeEntry, reading: Reading): FileFacts | undefined {
    const facts = this.#find(entry)?.facts;
    return facts !== undefined && Object.hasOwn(facts, reading.key) ? facts[reading.key] : undefined;
  }

  /** Stores the facts if the bytes are those that the oid names: the file may have changed since it was listed. */
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

  /** Stores the comments of a file before its facts are set. */
  setComments(oid: Oid, comments: FileComments): void {
    this.#comments.set(oid, comments);
  }

  /** The lines to cache, by key: those that this run used first, then the rest as long as there is room. */
  lines(): { readonly used: Iterable<Line>; readonly unused: Iterable<Line> } {
    return { used: this.#used(), unused: this.#unused() };
  }

  /** A generator, because there may be very many lines. */
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

/** Undefined for a line that this program did not write. */
function parseLine(line: string): KnownFile | undefined {
  try {
    const file: KnownFile = JSON.parse(line);
    return typeof file.facts === 'object' && file.facts !== null ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Not every tree reports the size of a symbolic link. */
function keyOf({ oid, mode, size }: TreeEntry): string {
  return `${oid}.${mode === 'symlink' ? 'link' : (size ?? '')}`;
}

function isOf({ oid }: TreeEntry, bytes: Uint8Array): boolean {
  return objectOid('blob', bytes, hashOf(oid)) === oid;
}
