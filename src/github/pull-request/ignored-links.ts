import type { CommentSource } from '../../content/compare/index.ts';
import {
  type IgnoreComments,
  type IgnoreProblem,
  type Ignores,
  loadCommentReader,
} from '../../content/ignore/index.ts';
import type { Oid, ReadBlobs, SpaceAnalysis, TreeEntry } from '../../content/index.ts';

export interface ChangeComments extends CommentSource {
  /** Problems of ignore rules and comments that the change touched. `configFile` is null when the head's is not used. */
  problems(ignores: Ignores, configFile: string | null): readonly IgnoreProblem[];
}

/** More problems than an author reads on one pull request. */
const MAX_PROBLEMS = 50;

/** Reads the ignore comments of files with broken links and of files that the change touches. */
export function openChangeComments(
  base: readonly TreeEntry[],
  head: readonly TreeEntry[],
  { read, touched }: { readonly read: ReadBlobs; readonly touched: (file: string) => boolean },
): ChangeComments {
  const comments = new Map<Oid, IgnoreComments>();
  const files = new Set<string>();
  const entriesOf = (tree: readonly TreeEntry[]) => new Map(tree.map((entry) => [entry.path, entry]));
  const trees = { base: entriesOf(base), head: entriesOf(head) };
  return {
    async load(before, after) {
      const wanted = new Map<Oid, TreeEntry>();
      const want = (entry: TreeEntry | undefined) => {
        if (entry !== undefined && !comments.has(entry.oid)) wanted.set(entry.oid, entry);
      };
      for (const file of before.flatMap(brokenFiles)) want(trees.base.get(file));
      for (const file of after.flatMap(brokenFiles)) want(trees.head.get(file));
      for (const file of after.flatMap((analysis) => analysis.files)) {
        if (!touched(file)) continue;
        files.add(file);
        want(trees.head.get(file));
      }
      if (wanted.size === 0) return;
      const readIgnoreComments = await loadCommentReader();
      for await (const { oid, bytes } of read([...wanted.values()])) {
        comments.set(oid, readIgnoreComments(wanted.get(oid)?.path ?? '', bytes));
      }
    },
    commentsIn(tree) {
      const entries = tree === base ? trees.base : trees.head;
      return (file) => comments.get(entries.get(file)?.oid ?? '');
    },
    problems(ignores, configFile) {
      const inFiles = [...files].flatMap((file) => ignores.problemsOfFile(file));
      const inConfig = configFile !== null && touched(configFile) ? ignores.problemsOfRules(configFile) : [];
      return [...inConfig, ...inFiles].slice(0, MAX_PROBLEMS);
    },
  };
}

function brokenFiles({ links }: SpaceAnalysis): readonly string[] {
  return [...new Set(links.flatMap((link) => (link.status === 'broken' ? [link.file] : [])))];
}
