import { compareIgnoring, createIgnores, type Ignores } from '../../content/ignore/index.ts';
import {
  type Change,
  checkedAmong,
  createEngine,
  type DetectedSpace,
  detectRenames,
  type Engine,
  type FormatName,
  type Link,
  type Page,
  type ReadBlobs,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  siblingsOf,
  type TreeEntry,
} from '../../content/index.ts';
import { type CommandIo, UsageError } from '../command.ts';
import type { BaseTree } from './base-tree.ts';
import { CommentReader } from './comment-reader.ts';
import type { OpenPaths } from './open-paths.ts';
import { openSpaces, type Spaces } from './open-spaces.ts';
import { number } from './print/report.ts';
import { readFrom } from './read-from.ts';
import { renamesSince } from './renames-since.ts';
import { repositoryAddress } from './repository-address.ts';
import { isWithin } from './scopes.ts';
import type { WorkTree } from './work-tree.ts';

export interface CheckInput {
  /** A revision to measure against; null to tell all that is broken. */
  readonly base: string | null;
  /** A configuration file in place of the repository's own, relative to the current folder. */
  readonly config: string | null;
  /** The day it is, `YYYY-MM-DD`. */
  readonly today: string;
  /** Told what is being done, for people who wait. */
  readonly onProgress?: (words: string) => void;
}

export interface CheckedSpace {
  /** `.` for the root. */
  readonly directory: string;
  readonly format: FormatName;
  readonly pages: number;
}

/** A link, and what the change did to it; null when there is no base, or it is not broken. */
export type CheckedLink = Link & { readonly change: Change | null };

/** Something that breaks nothing and that people should know. */
export interface Notice {
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** What one run of `docloom check` found, for every way of printing it. */
export interface CheckResult {
  /** The folder that all paths are relative to. */
  readonly root: string;
  readonly spaces: readonly CheckedSpace[];
  /** Files whose links were judged. */
  readonly files: number;
  /** All links, by file and place. */
  readonly links: readonly CheckedLink[];
  /** Links that were broken in the base and are so no more, as they stood there. */
  readonly fixed: readonly CheckedLink[];
  readonly notices: readonly Notice[];
  /** The commit that it was measured against; null without a base. */
  readonly base: string | null;
}

/** Checks the spaces of the work tree around the paths and keeps what concerns those paths. */
export async function checkTree(
  input: CheckInput,
  opening: Promise<OpenPaths>,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
): Promise<CheckResult> {
  input.onProgress?.('Listing the files');
  const { tree, wanted } = await opening;
  const found = await openSpaces(tree, input.config, io.cwd);
  const base = input.base === null ? null : await openBase(tree, input.base, io.signal);
  const address = repositoryAddress(tree.origin, io.env, base?.branch ?? null);
  try {
    return await new Check({ input, tree, found, base, wanted, address }).run(io.signal);
  } finally {
    base?.close();
  }
}

async function openBase(tree: WorkTree, revision: string, signal: AbortSignal): Promise<BaseTree> {
  if (!tree.isGit) {
    throw new UsageError(
      `--base needs a git repository, and ${tree.root} is in none (or git is not installed).`,
    );
  }
  const { openBaseTree } = await import('./base-tree.ts');
  return await openBaseTree(tree.root, revision, signal);
}

interface CheckParts {
  readonly input: CheckInput;
  readonly tree: WorkTree;
  readonly found: Spaces;
  readonly base: BaseTree | null;
  /** Paths from the root. */
  readonly wanted: readonly string[];
  readonly address: RepositoryAddress | null;
}

class Check {
  readonly #input: CheckInput;
  readonly #tree: WorkTree;
  readonly #found: Spaces;
  readonly #base: BaseTree | null;
  readonly #wanted: readonly string[];
  readonly #address: RepositoryAddress | null;
  readonly #engine: Engine = createEngine();

  constructor({ input, tree, found, base, wanted, address }: CheckParts) {
    this.#input = input;
    this.#tree = tree;
    this.#found = found;
    this.#base = base;
    this.#wanted = wanted;
    this.#address = address;
  }

  async run(signal: AbortSignal): Promise<CheckResult> {
    const base = this.#base;
    const renames =
      base === null ? [] : mergeRenames(base.renames, detectRenames(base.entries, this.#tree.entries));
    const comments = new CommentReader();
    const ignores = {
      head: this.#ignoresIn(comments, this.#tree.entries),
      base: this.#ignoresIn(comments, base?.entries ?? []),
    };
    const links: CheckedLink[] = [];
    const fixed: CheckedLink[] = [];
    const notices: Notice[] = [];
    const spaces: CheckedSpace[] = [];
    const files = new Set<string>();
    const checked = checkedAmong(this.#found.spaces);
    const chosen = checked.filter((space) => this.#touches(space.directory));
    // Where nothing is measured, a link to a page that was just renamed is still told its new name.
    let uncommitted: readonly Rename[] | null = null;
    for (const space of chosen) {
      signal.throwIfAborted();
      const name = space.directory === '' ? this.#tree.root : space.directory;
      this.#input.onProgress?.(`Checking ${name}`);
      // The base first: then reading the head costs only what differs.
      const before =
        base === null ? null : await this.#analyse(space, base.entries, comments.watch(base.read), []);
      const tellRead = (done: number, all: number) =>
        this.#input.onProgress?.(`Reading ${name}: ${done} of ${number(all, 'file')}`);
      const read = comments.watch(readFrom(this.#tree, tellRead));
      let after = await this.#analyse(space, this.#tree.entries, read, renames);
      if (base === null && this.#tree.isGit && after.links.some(isGone)) {
        uncommitted ??= await renamesSince(this.#tree.root, 'HEAD', signal);
        if (uncommitted.length > 0) after = await this.#analyse(space, this.#tree.entries, read, uncommitted);
      }
      const judged = judgeChange(before, after, renames, ignores);
      for (const link of judged.links) if (this.#isWanted(link.file)) links.push(link);
      for (const link of judged.fixed) if (this.#isWanted(link.file)) fixed.push(link);
      for (const file of after.files) if (this.#isWanted(file)) files.add(file);
      for (const problem of after.problems) {
        if (this.#isWanted(problem.file)) notices.push({ rule: 'unreadable', ...problem });
      }
      // What is beside the spaces is judged, and is no space.
      if (space.role !== 'space') continue;
      spaces.push({
        directory: space.directory === '' ? '.' : space.directory,
        format: after.format,
        pages: countPages(after.pages),
      });
    }
    for (const file of files) notices.push(...ignores.head.problemsOfFile(file));
    // Where only a part was checked, an entry may well be used elsewhere.
    if (chosen.length === checked.length) {
      notices.push(...ignores.head.problemsOfRules(this.#found.configFile));
    }
    return {
      root: this.#tree.root,
      spaces,
      files: files.size,
      links,
      fixed,
      notices,
      base: base?.commit ?? null,
    };
  }

  #isWanted(file: string): boolean {
    return isWithin(file, this.#wanted);
  }

  /** Whether a space holds one of the paths, or is inside one. */
  #touches(directory: string): boolean {
    return (
      directory === '' ||
      isWithin(directory, this.#wanted) ||
      this.#wanted.some((one) => isWithin(one, [directory]))
    );
  }

  #ignoresIn(comments: CommentReader, tree: readonly TreeEntry[]): Ignores {
    return createIgnores({
      rules: this.#found.ignore,
      commentsOf: comments.commentsIn(tree),
      today: this.#input.today,
    });
  }

  async #analyse(
    space: DetectedSpace,
    tree: readonly TreeEntry[],
    read: ReadBlobs,
    renames: readonly Rename[],
  ): Promise<SpaceAnalysis> {
    return await this.#engine.analyse({
      tree,
      directory: space.directory,
      format: space.format,
      siblingDirectories: siblingsOf(space, this.#found.spaces),
      ...(this.#address === null ? {} : { repository: this.#address }),
      renames,
      read,
    });
  }
}

/** All links with what the change did to them, and those that it fixed. */
function judgeChange(
  before: SpaceAnalysis | null,
  after: SpaceAnalysis,
  renames: readonly Rename[],
  ignores: { readonly base: Ignores; readonly head: Ignores },
): Pick<CheckResult, 'links' | 'fixed'> {
  if (before === null) {
    return { links: ignores.head.apply(after.links).map((link) => ({ ...link, change: null })), fixed: [] };
  }
  const compared = compareIgnoring(before, after, renames, ignores);
  const introduced = new Set(compared.introduced);
  const changeOf = (link: Link): Change | null => {
    if (link.status !== 'broken') return null;
    return introduced.has(link) ? 'introduced' : 'existing';
  };
  return {
    links: compared.links.map((link) => ({ ...link, change: changeOf(link) })),
    fixed: compared.fixed.map((link) => ({ ...link, change: 'fixed' })),
  };
}

function isGone({ rule, suggestion }: Link): boolean {
  return suggestion === null && (rule === 'missing-page' || rule === 'missing-file');
}

/** Git's renames, and those by equal bytes that its index does not know yet. */
function mergeRenames(fromGit: readonly Rename[], exact: readonly Rename[]): readonly Rename[] {
  const known = new Set(fromGit.flatMap(({ from, to }) => [`from ${from}`, `to ${to}`]));
  const more = exact.filter(({ from, to }) => !known.has(`from ${from}`) && !known.has(`to ${to}`));
  return [...fromGit, ...more];
}

function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}
