import {
  createIgnores,
  type IgnoreComments,
  type IgnoreProblem,
  type IgnoreRule,
  type Ignores,
  loadCommentReader,
} from '../../content/ignore/index.ts';
import type { Oid, ReadBlobs, SpaceAnalysis, TreeEntry } from '../../content/index.ts';

/** What ignores links in the two trees of one pull request. */
export interface ChangeIgnores {
  readonly base: Ignores;
  readonly head: Ignores;
  /** Reads the comments of the files whose broken links they could ignore, and of those that the change touches. */
  readComments(before: readonly SpaceAnalysis[], after: readonly SpaceAnalysis[]): Promise<void>;
  /** What is wrong with the ignoring where the change touched it; asked when all spaces were compared. */
  problems(): readonly IgnoreProblem[];
}

export interface ChangeIgnoresInput {
  /** What each tree's own configuration says. */
  readonly rules: { readonly base: readonly IgnoreRule[]; readonly head: readonly IgnoreRule[] };
  readonly base: readonly TreeEntry[];
  readonly head: readonly TreeEntry[];
  readonly touched: (file: string) => boolean;
  /** Null where what it says of ignoring is none of the head's. */
  readonly configFile: string | null;
  /** The day it is, `YYYY-MM-DD`. */
  readonly today: string;
  readonly read: ReadBlobs;
}

/** More problems than an author reads on one pull request. */
const MAX_PROBLEMS = 50;

export function openChangeIgnores(input: ChangeIgnoresInput): ChangeIgnores {
  const { rules, today, touched } = input;
  const comments = new Map<Oid, IgnoreComments>();
  const files = new Set<string>();
  const entriesOf = (tree: readonly TreeEntry[]) => new Map(tree.map((entry) => [entry.path, entry]));
  const trees = { base: entriesOf(input.base), head: entriesOf(input.head) };
  const ignoresOf = (side: 'base' | 'head') =>
    createIgnores({
      rules: rules[side],
      today,
      commentsOf: (file) => comments.get(trees[side].get(file)?.oid ?? ''),
    });
  const head = ignoresOf('head');
  return {
    base: ignoresOf('base'),
    head,
    async readComments(before, after) {
      const wanted = new Map<Oid, TreeEntry>();
      const want = (entry: TreeEntry | undefined) => {
        if (entry !== undefined && !comments.has(entry.oid)) wanted.set(entry.oid, entry);
      };
      for (const file of before.flatMap(brokenFiles)) want(trees.base.get(file));
      for (const file of after.flatMap(brokenFiles)) want(trees.head.get(file));
      for (const file of after.flatMap((one) => one.files)) {
        if (!touched(file)) continue;
        files.add(file);
        want(trees.head.get(file));
      }
      if (wanted.size === 0) return;
      const readIgnoreComments = await loadCommentReader();
      for await (const { oid, bytes } of input.read([...wanted.values()])) {
        comments.set(oid, readIgnoreComments(wanted.get(oid)?.path ?? '', bytes));
      }
    },
    problems() {
      const inFiles = [...files].flatMap((file) => head.problemsOfFile(file));
      const { configFile } = input;
      const inConfig = configFile !== null && touched(configFile) ? head.problemsOfRules(configFile) : [];
      return [...inConfig, ...inFiles].slice(0, MAX_PROBLEMS);
    },
  };
}

function brokenFiles({ links }: SpaceAnalysis): readonly string[] {
  return [...new Set(links.flatMap((link) => (link.status === 'broken' ? [link.file] : [])))];
}
