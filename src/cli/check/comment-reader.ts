import { type IgnoreComments, readIgnoreComments } from '../../content/ignore/index.ts';
import type { Oid, ReadBlobs, RepoPath, TreeEntry } from '../../content/index.ts';

/** Collects the comments about ignoring while the content engine reads files, by oid: for all trees that are read. */
export class CommentReader {
  readonly #comments = new Map<Oid, IgnoreComments>();

  /** `read`, whose bytes are looked at as they pass. */
  watch(read: ReadBlobs): ReadBlobs {
    const comments = this.#comments;
    return async function* (entries) {
      const paths = new Map(entries.map((entry) => [entry.oid, entry.path]));
      for await (const blob of read(entries)) {
        const found = readIgnoreComments(paths.get(blob.oid) ?? '', blob.bytes);
        if (found.parts.length > 0 || found.problems.length > 0) comments.set(blob.oid, found);
        yield blob;
      }
    };
  }

  /** Answers the comments of a tree's files. */
  commentsIn(tree: readonly TreeEntry[]): (file: RepoPath) => IgnoreComments | undefined {
    const oids = new Map(tree.map((entry) => [entry.path, entry.oid]));
    return (file) => this.#comments.get(oids.get(file) ?? '');
  }
}
