import { createHash } from 'node:crypto';
import { readingKey } from '../../src/content/facts/markdown-reading.ts';
import { githubFormat } from '../../src/content/formats/github/github-format.ts';
import {
  type AnalyseOptions,
  analyseSpace,
  type FileFacts,
  type SpaceAnalysis,
  type TreeEntry,
  type TreeMode,
} from '../../src/content/index.ts';
import { readPage } from '../../src/content/parse/read-page.ts';
import type { Reading } from '../../src/content/parse/reading.ts';
import { filesOfTexts } from './files-of-texts.ts';

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

/** Reads without waiting for the parser to be loaded. */
export function readAtOnce({ read, options }: Reading, bytes: Uint8Array): FileFacts {
  return read?.(bytes) ?? readPage(bytes, options ?? { key: '' });
}

const known = new Map<string, FileFacts>();

/** Analyses a small tree as one space, of plain Markdown when nothing else is said. */
export function analysisOf(
  small: SmallTree,
  options: Partial<Omit<AnalyseOptions, 'tree' | 'factsOf' | 'textOf'>> = {},
): SpaceAnalysis {
  const { tree, blobs } = treeOf(small);
  const textOf = (entry: TreeEntry) => blobs.get(entry.oid) ?? null;
  const factsOf: AnalyseOptions['factsOf'] = (entry, reading) => {
    const key = readingKey(entry.oid, reading);
    let facts = known.get(key);
    if (facts === undefined) {
      facts = readAtOnce(reading, new TextEncoder().encode(blobs.get(entry.oid) ?? ''));
      known.set(key, facts);
    }
    return facts;
  };
  return analyseSpace({
    directory: '',
    name: 'github',
    format: githubFormat,
    ...options,
    tree,
    factsOf,
    files: filesOfTexts(textOf),
  });
}
