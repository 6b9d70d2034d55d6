import { type IgnoreComments, loadCommentReader, mayContainComments } from '../../content/ignore/index.ts';
import type { Oid, ReadBlobs, RepoPath, TreeEntry } from '../../content/index.ts';
import type { FileComments, KnownFiles } from './known-files.ts';

/** Collects the comments about ignoring while the content engine reads files, by oid: for all trees that are read. */
export class CommentReader {
  readonly #comments = new Map<Oid, FileComments>();
  readonly #known: KnownFiles | null;

  /** `known` has the comments of files that are not read. */
  constructor(known: KnownFiles | null) {
    this.#known = known;
  }

  /** `read`, with the bytes searched for comments as they pass. */
  watch(read: ReadBlobs): ReadBlobs {
    const [comments, known] = [this.#comments, this.#known];
    return async function* (entries) {
      for await (const blob of read(entries)) {
        const found = mayContainComments(blob.bytes) ? await readComments(blob.bytes) : null;
        if (found !== null) {
          comments.set(blob.oid, found);
          known?.setComments(blob.oid, found);
        }
        yield blob;
      }
    };
  }

  /** Returns the comments of a tree's files. */
  commentsIn(tree: readonly TreeEntry[]): (file: RepoPath) => IgnoreComments | undefined {
    const entries = new Map(tree.map((entry) => [entry.path, entry]));
    return (file) => {
      const entry = entries.get(file);
      if (entry === undefined) return undefined;
      const found = this.#comments.get(entry.oid) ?? this.#known?.commentsOf(entry);
      return /\.mdx$/i.test(file) ? found?.mdx : found?.markdown;
    };
  }
}

/** Null where there are none. The comments depend only on the bytes, wherever the file is. */
async function readComments(bytes: Uint8Array): Promise<FileComments | null> {
  const readIgnoreComments = await loadCommentReader();
  const [markdown, mdx] = [readIgnoreComments('a.md', bytes), readIgnoreComments('a.mdx', bytes)];
  const isEmpty = [markdown, mdx].every(({ parts, problems }) => parts.length + problems.length === 0);
  return isEmpty ? null : { markdown, mdx };
}
