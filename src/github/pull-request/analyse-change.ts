import { compareIgnoring, type IgnoreProblem } from '../../content/ignore/index.ts';
import {
  checkedAmong,
  detectRenames,
  type Engine,
  type ReadBlobs,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  siblingsOf,
  type TreeEntry,
} from '../../content/index.ts';
import type { ReportPart } from '../../content/report.ts';
import type { GitRemote, GitRepository } from '../../git/repository.ts';
import { type FoundSpace, findSpaces } from '../find-spaces.ts';
import { CONFIG_PATH, interpretConfig, NO_CONFIG, type RepositoryConfig } from '../repository-config.ts';
import { type ChangeIgnores, openChangeIgnores } from './ignored-links.ts';

export interface ChangeInput {
  readonly repository: GitRepository;
  readonly remote: GitRemote;
  /** What the space is called when the repository declares none. */
  readonly name: string;
  /** Addresses of this repository, at this branch, count as links into the tree. */
  readonly address: RepositoryAddress;
  readonly headOid: string;
  readonly baseOid: string;
  /** The day it is, `YYYY-MM-DD`, for what is ignored until a day. */
  readonly today: string;
  readonly signal: AbortSignal;
}

export interface Change {
  readonly parts: readonly ReportPart[];
  readonly renames: readonly Rename[];
  readonly deleted: ReadonlySet<string>;
  readonly touched: (file: string) => boolean;
  /** What is wrong with the ignoring of links, where the pull request touched it. */
  readonly ignoreProblems: readonly IgnoreProblem[];
}

export interface ConfigMistake {
  readonly problems: Extract<RepositoryConfig, { problems: unknown }>['problems'];
  /** Whether the pull request changed the configuration. */
  readonly touched: boolean;
}

/** A configuration is a page of YAML; more is a mistake or an attack. */
const CONFIG_BYTES = 256 * 1024;

/**
 * Judges the links of both trees and compares them, space by space. The spaces are those of the head, so that
 * a pull request that adds a space is judged by it. Both commits must have been fetched.
 */
export async function analyseChange(engine: Engine, input: ChangeInput): Promise<Change | ConfigMistake> {
  const [head, base] = await Promise.all([
    input.repository.readTree(input.headOid),
    input.repository.readTree(input.baseOid),
  ]);
  const baseOids = new Map(base.map((entry) => [entry.path, entry.oid]));
  const headOids = new Map(head.map((entry) => [entry.path, entry.oid]));
  const touched = (file: string) => headOids.get(file) !== baseOids.get(file);
  const config = await readConfigOfTree(input, head);
  if ('problems' in config) return { problems: config.problems, touched: touched(CONFIG_PATH) };

  const spaces = await findSpaces({ ...input, tree: head }, config.declared);
  const renames = detectRenames(base, head);
  const renamed = new Set(renames.map((rename) => rename.from));
  const deleted = new Set([...baseOids.keys()].filter((path) => !headOids.has(path) && !renamed.has(path)));
  const ignores = openChangeIgnores({
    rules: config.ignore,
    base,
    head,
    touched,
    configFile: CONFIG_PATH,
    today: input.today,
    read: readerOf(input),
  });
  const parts: ReportPart[] = [];
  for (const space of checkedAmong(spaces)) {
    const part = await compareSpace(engine, input, { space, spaces, head, base, renames, ignores });
    // What is beside the spaces need not be told of where it holds no link.
    if (space.role === 'space' || part.space.links > 0 || part.baseLinks.length > 0) parts.push(part);
  }
  return { parts, renames, deleted, touched, ignoreProblems: ignores.problems() };
}

interface SpaceTrees {
  readonly space: FoundSpace;
  readonly spaces: readonly FoundSpace[];
  readonly head: readonly TreeEntry[];
  readonly base: readonly TreeEntry[];
  readonly renames: readonly Rename[];
  readonly ignores: ChangeIgnores;
}

async function compareSpace(engine: Engine, input: ChangeInput, trees: SpaceTrees): Promise<ReportPart> {
  const { space, spaces, renames, ignores } = trees;
  const analyse = (tree: readonly TreeEntry[], known: readonly Rename[]): Promise<SpaceAnalysis> =>
    engine.analyse({
      tree,
      directory: space.directory,
      format: space.format,
      siblingDirectories: siblingsOf(space, spaces),
      repository: input.address,
      renames: known,
      // Only what the engine does not hold yet is asked for.
      read: readerOf(input),
    });
  const before = await analyse(trees.base, []);
  const after = await analyse(trees.head, renames);
  await ignores.readComments(before, after);
  const { introduced, existing, fixed } = compareIgnoring(before, after, renames, ignores);
  return {
    space: {
      title: space.title,
      directory: space.directory,
      pages: countPages(after.pages),
      links: after.links.length,
    },
    introduced,
    existing,
    fixed,
    baseLinks: before.links,
  };
}

function readerOf({ repository, remote, signal }: ChangeInput): ReadBlobs {
  return (entries) =>
    repository.readBlobs(
      entries.map((entry) => entry.oid),
      remote,
      { signal },
    );
}

function countPages(pages: SpaceAnalysis['pages']): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}

async function readConfigOfTree(input: ChangeInput, tree: readonly TreeEntry[]): Promise<RepositoryConfig> {
  const entry = tree.find((one) => one.path === CONFIG_PATH);
  if (entry === undefined) return NO_CONFIG;
  if (entry.mode === 'symlink' || entry.mode === 'submodule') {
    return { problems: [{ message: `${CONFIG_PATH} must be a file.`, line: null }] };
  }
  if (entry.size !== undefined && entry.size > CONFIG_BYTES) {
    return { problems: [{ message: `${CONFIG_PATH} is larger than 256 KB.`, line: null }] };
  }
  for await (const { bytes } of input.repository.readBlobs([entry.oid], input.remote, {
    signal: input.signal,
  })) {
    return interpretConfig(new TextDecoder().decode(bytes));
  }
  return { problems: [{ message: `${CONFIG_PATH} could not be read.`, line: null }] };
}
