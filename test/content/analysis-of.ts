import { createHash } from 'node:crypto';
import {
  type AnalyseOptions,
  analyseSpace,
  type FileFacts,
  factsKey,
  readFacts,
  type SpaceAnalysis,
  type TreeEntry,
  type TreeMode,
} from '../../src/content/index.ts';

/** A repository as a test tells it: path → text. */
export interface SmallTree {
  readonly files: Readonly<Record<string, string>>;
  /** Symbolic links: path → target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly submodules?: readonly string[];
}

export function treeOf({ files, links = {}, submodules = [] }: SmallTree) {
  const blobs = new Map<string, string>();
  const entry = (path: string, text: string, mode: TreeMode): TreeEntry => {
    const oid = createHash('sha1')
      .update(`blob ${Buffer.byteLength(text)}\0${text}`)
      .digest('hex');
    blobs.set(oid, text);
    return { path, oid, mode, size: Buffer.byteLength(text) };
  };
  const tree = [
    ...Object.entries(files).map(([path, text]) => entry(path, text, 'file')),
    ...Object.entries(links).map(([path, target]) => entry(path, target, 'symlink')),
    ...submodules.map((path) => entry(path, path, 'submodule')),
  ];
  return { tree, blobs };
}

const known = new Map<string, FileFacts>();

/** Analyses a small tree as a whole repository. */
export function analysisOf(
  small: SmallTree,
  options: Partial<Omit<AnalyseOptions, 'tree' | 'factsOf'>> = {},
): SpaceAnalysis {
  const { tree, blobs } = treeOf(small);
  const factsOf = (oid: string, path: string) => {
    const key = factsKey(oid, path);
    let facts = known.get(key);
    if (facts === undefined) {
      facts = readFacts(path, new TextEncoder().encode(blobs.get(oid) ?? ''));
      known.set(key, facts);
    }
    return facts;
  };
  return analyseSpace({ directory: '', ...options, tree, factsOf });
}
