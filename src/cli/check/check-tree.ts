import { createIgnores, type Ignores, type Judged } from '../../content/ignore/index.ts';
import {
  checkedAmong,
  createEngine,
  type DetectedSpace,
  detectRenames,
  type Engine,
  type Link,
  type Page,
  type ReadBlobs,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  siblingsOf,
  spacesAmong,
  type TreeEntry,
} from '../../content/index.ts';
import { type CommandIo, UsageError } from '../command.ts';
import type { BaseTree } from './base-tree.ts';
import type { CheckedSpace, CheckResult, Notice } from './check-result.ts';
import { CommentReader } from './comment-reader.ts';
import { openFactsFile } from './facts-file.ts';
import { findLost } from './find-lost.ts';
import type { KeptPlace } from './kept-file.ts';
import type { KnownFiles } from './known-files.ts';
import { markChanges } from './mark-changes.ts';
import { mergeRenames } from './merge-renames.ts';
import type { OpenPaths } from './open-paths.ts';
import { openBaseSpaces, openSpaces, type Spaces } from './open-spaces.ts';
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
  /** Where what was found out about files is kept between runs; null when it is not. */
  readonly facts: KeptPlace | null;
}

export interface Checked {
  readonly result: CheckResult;
  /** Keeps what was found out for the next run; for when people have their answer. */
  readonly save: () => void;
}

/** Checks the spaces of the work tree around the paths and keeps what concerns those paths. */
export async function checkTree(
  input: CheckInput,
  opening: Promise<OpenPaths>,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
): Promise<Checked> {
  input.onProgress?.('Listing the files');
  const { tree, wanted } = await opening;
  const found = await openSpaces(tree, input.config, io.cwd);
  const base = input.base === null ? null : await openBase(tree, input.base, io.signal);
  try {
    const address = repositoryAddress(tree.origin, io.env, base?.branch ?? null);
    const measured =
      base === null ? null : { tree: base, found: await openBaseSpaces(base, found, input.config) };
    const facts = input.facts === null ? null : openFactsFile(tree.root, input.facts);
    const check = new Check({
      input,
      tree,
      found,
      base: measured,
      wanted,
      address,
      known: facts?.known ?? null,
    });
    return { result: await check.run(io.signal), save: () => facts?.save() };
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

interface MeasuredBase {
  readonly tree: BaseTree;
  readonly found: Spaces;
}

interface CheckParts {
  readonly input: CheckInput;
  readonly tree: WorkTree;
  readonly found: Spaces;
  readonly base: MeasuredBase | null;
  /** Paths from the root. */
  readonly wanted: readonly string[];
  readonly address: RepositoryAddress | null;
  readonly known: KnownFiles | null;
}

class Check {
  readonly #input: CheckInput;
  readonly #tree: WorkTree;
  readonly #found: Spaces;
  readonly #base: MeasuredBase | null;
  readonly #wanted: readonly string[];
  readonly #address: RepositoryAddress | null;
  readonly #engine: Engine;
  readonly #known: KnownFiles | null;
  #uncommitted: readonly Rename[] | null = null;

  constructor({ input, tree, found, base, wanted, address, known }: CheckParts) {
    this.#input = input;
    this.#tree = tree;
    this.#found = found;
    this.#base = base;
    this.#wanted = wanted;
    this.#address = address;
    // Without a base each tree is seen once.
    this.#engine = createEngine({ keepsVerdicts: base !== null, store: known });
    this.#known = known;
  }

  async run(signal: AbortSignal): Promise<CheckResult> {
    const base = this.#base;
    const renames =
      base === null
        ? []
        : mergeRenames(base.tree.renames, detectRenames(base.tree.entries, this.#tree.entries));
    const comments = new CommentReader(this.#known);
    // The base first: then reading the head costs only what differs.
    const before = base === null ? null : await this.#analyseBase(base, comments, signal);
    const checked = checkedAmong(this.#found.spaces);
    const chosen = checked.filter((space) => this.#touches(space.directory));
    const heads: Judged[] = [];
    for (const space of chosen) {
      signal.throwIfAborted();
      heads.push({ space, analysis: await this.#analyseHead(space, renames, comments, signal) });
    }
    const ignores = {
      head: this.#ignoresBy(this.#found, comments, this.#tree.entries),
      base: this.#ignoresBy(base?.found ?? this.#found, comments, base?.tree.entries ?? []),
    };
    const { lostAddresses } = this.#found;
    const lost =
      base === null || before === null || lostAddresses === 'off'
        ? { notices: [], redirects: [] }
        : await findLost(
            { tree: base.tree.entries, read: base.tree.read, spaces: before },
            { tree: this.#tree.entries, read: readFrom(this.#tree), spaces: heads },
            { renames, fails: lostAddresses === 'fail' },
          );
    const judged = markChanges({ before, after: heads, entries: this.#tree.entries, renames, ignores });
    const files = heads.flatMap(({ analysis }) => analysis.files).filter((file) => this.#isWanted(file));
    const unused = files.flatMap((file) => ignores.head.problemsOfFile(file));
    // Where only a part was checked, an entry may well be used elsewhere.
    const idle = chosen.length === checked.length ? ignores.head.problemsOfRules(this.#found.configFile) : [];
    return {
      root: this.#tree.root,
      // What is beside the spaces is judged, and is no space.
      spaces: spacesAmong(heads.map(({ space, analysis }) => ({ ...space, analysis }))).map(tellSpace),
      files: files.length,
      links: judged.links.filter((link) => this.#isWanted(link.file)),
      well: 0,
      fixed: judged.fixed.filter((link) => this.#isWanted(link.file)),
      notices: [
        ...this.#found.problems,
        ...(this.#found.isDeclared ? heads.flatMap((one) => this.#explainEmpty(one)) : []),
        ...[...this.#tree.problems, ...heads.flatMap(({ analysis }) => analysis.problems)]
          .filter(({ file }) => this.#isWanted(file))
          .map((problem) => ({ rule: 'unreadable', ...problem })),
        ...lost.notices.filter(({ file }) => this.#isWanted(file)),
        ...unused,
        ...idle,
      ],
      redirects: lost.redirects.filter(({ file }) => this.#isWanted(file)),
      base: base?.tree.commit ?? null,
    };
  }

  /** All links of the base by its own configuration, also those that are not checked there: they are no news. */
  async #analyseBase(
    { tree, found }: MeasuredBase,
    comments: CommentReader,
    signal: AbortSignal,
  ): Promise<readonly Judged[]> {
    const analyses: Judged[] = [];
    const read = comments.watch(tree.read);
    for (const space of found.spaces) {
      signal.throwIfAborted();
      this.#input.onProgress?.(`Reading the base: ${this.#nameOf(space)}`);
      const analysis = await this.#analyse(space, found, { tree: tree.entries, read, renames: [] });
      analyses.push({ space, analysis });
    }
    return analyses;
  }

  async #analyseHead(
    space: DetectedSpace,
    renames: readonly Rename[],
    comments: CommentReader,
    signal: AbortSignal,
  ): Promise<SpaceAnalysis> {
    const name = this.#nameOf(space);
    this.#input.onProgress?.(`Checking ${name}`);
    const tellRead = (done: number, all: number) =>
      this.#input.onProgress?.(`Reading ${name}: ${done} of ${number(all, 'file')}`);
    const files = { tree: this.#tree.entries, read: comments.watch(readFrom(this.#tree, tellRead)) };
    const analysis = await this.#analyse(space, this.#found, { ...files, renames });
    if (this.#base !== null || !this.#tree.isGit || !analysis.links.some(isGone)) return analysis;
    // Where nothing is measured, a link to a page that was just renamed is still told its new name.
    this.#uncommitted ??= await renamesSince(this.#tree.root, 'HEAD', signal);
    if (this.#uncommitted.length === 0) return analysis;
    return await this.#analyse(space, this.#found, { ...files, renames: this.#uncommitted });
  }

  #nameOf({ directory }: DetectedSpace): string {
    return directory === '' ? this.#tree.root : directory;
  }

  /** A declared space without files is a mistyped or forgotten one. */
  #explainEmpty({ space, analysis }: Judged): readonly Notice[] {
    if (analysis.files.length > 0) return [];
    const { directory } = space;
    const isThere = this.#tree.entries.some(({ path }) => isWithin(path, [directory]));
    const what = isThere
      ? `holds no page of its format, ${space.format}`
      : 'is not there, so it holds no page';
    const message = `The folder of the space ${directory || '.'} ${what}.`;
    return [{ file: this.#found.configFile, line: null, rule: 'empty-space', message }];
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

  #ignoresBy({ ignore }: Spaces, comments: CommentReader, tree: readonly TreeEntry[]): Ignores {
    return createIgnores({
      rules: ignore,
      commentsOf: comments.commentsIn(tree),
      today: this.#input.today,
    });
  }

  async #analyse(
    space: DetectedSpace,
    { spaces }: Spaces,
    files: {
      readonly tree: readonly TreeEntry[];
      readonly read: ReadBlobs;
      readonly renames: readonly Rename[];
    },
  ): Promise<SpaceAnalysis> {
    return await this.#engine.analyse({
      ...files,
      directory: space.directory,
      format: space.format,
      siblingDirectories: siblingsOf(space, spaces),
      ...(this.#address === null ? {} : { repository: this.#address }),
    });
  }
}

function tellSpace({
  directory,
  analysis,
}: DetectedSpace & { readonly analysis: SpaceAnalysis }): CheckedSpace {
  return {
    directory: directory === '' ? '.' : directory,
    format: analysis.format,
    pages: countPages(analysis.pages),
  };
}

function isGone({ rule, suggestion }: Link): boolean {
  return suggestion === null && (rule === 'missing-page' || rule === 'missing-file');
}

function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}
