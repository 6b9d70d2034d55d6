import { createIgnores } from '../../content/ignore/index.ts';
import {
  type AnalysedSpace,
  analyseSpaces,
  checkedAmong,
  createEngine,
  type DetectedSpace,
  type Engine,
  type Link,
  type Page,
  type ReadBlobs,
  type Rename,
  type RepositoryAddress,
  type SpaceAnalysis,
  spacesAmong,
} from '../../content/index.ts';
import { type CommandIo, UsageError } from '../command.ts';
import type { BaseTree } from './base-tree.ts';
import type { CacheLocation } from './cache-file.ts';
import type { CheckedSpace, CheckNotice, CheckResult } from './check-result.ts';
import { CommentReader } from './comment-reader.ts';
import type { BaseComparison } from './compare-with-base.ts';
import { openFactsFile } from './facts-file.ts';
import { readFactsSafely } from './facts-safely.ts';
import type { KnownFiles } from './known-files.ts';
import type { OpenPaths } from './open-paths.ts';
import { openBaseSpaces, openSpaces, type Spaces } from './open-spaces.ts';
import { number } from './print/report.ts';
import { readFrom } from './read-from.ts';
import { renamesSince } from './renames-since.ts';
import { repositoryAddress } from './repository-address.ts';
import { isWithin } from './scopes.ts';
import type { WorkTree } from './work-tree.ts';

export interface CheckInput {
  /** A revision to compare with; null to report everything that is broken. */
  readonly base: string | null;
  /** A configuration file instead of the repository's own, relative to the current folder. */
  readonly config: string | null;
  /** The current date, `YYYY-MM-DD`. */
  readonly today: string;
  /** Called with what is being done, for people who wait. */
  readonly onProgress?: (words: string) => void;
  /** Where facts about files are cached between runs; null when they are not. */
  readonly facts: CacheLocation | null;
}

export interface Checked {
  readonly result: CheckResult;
  /** Caches the findings for the next run; to be called after people have their answer. */
  readonly save: () => void;
}

/** Checks the spaces of the work tree around the paths, and returns the findings that concern those paths. */
export async function checkWorkTree(
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
  readonly #comments: CommentReader;
  #uncommitted: readonly Rename[] | null = null;

  constructor({ input, tree, found, base, wanted, address, known }: CheckParts) {
    this.#input = input;
    this.#tree = tree;
    this.#found = found;
    this.#base = base;
    this.#wanted = wanted;
    this.#address = address;
    // Without a base each tree is read once.
    this.#engine = createEngine({
      cachesVerdicts: base !== null,
      store: known,
      readFacts: readFactsSafely,
    });
    this.#comments = new CommentReader(known);
  }

  async run(signal: AbortSignal): Promise<CheckResult> {
    const checked = checkedAmong(this.#found.spaces);
    const chosen = checked.filter((space) => this.#touches(space.directory));
    const { comparison, ignores } =
      this.#base === null
        ? await this.#checkAlone(chosen, signal)
        : await this.#compareWith(this.#base, chosen, signal);
    const { spaces: heads, links, fixed, notices, redirects } = comparison;
    const files = heads.flatMap(({ analysis }) => analysis.files).filter((file) => this.#isWanted(file));
    const unused = files.flatMap((file) => ignores.problemsOfFile(file));
    // When only a part was checked, an entry may be used elsewhere.
    const idle = chosen.length === checked.length ? ignores.problemsOfRules(this.#found.configFile) : [];
    return {
      root: this.#tree.root,
      // Files outside the spaces are checked too, but they form no space.
      spaces: spacesAmong(heads.map(({ space, analysis }) => ({ ...space, analysis }))).map(describeSpace),
      files: files.length,
      links: links.filter((link) => this.#isWanted(link.file)),
      well: 0,
      fixed: fixed.filter((link) => this.#isWanted(link.file)),
      notices: [
        ...this.#found.problems,
        ...(this.#found.isDeclared ? heads.flatMap((head) => this.#explainEmpty(head)) : []),
        ...[...this.#tree.problems, ...heads.flatMap(({ analysis }) => analysis.problems)]
          .filter(({ file }) => this.#isWanted(file))
          .map((problem) => ({ rule: 'unreadable', ...problem })),
        ...notices.filter(({ file }) => this.#isWanted(file)),
        ...unused,
        ...idle,
      ],
      redirects: redirects.filter(({ file }) => this.#isWanted(file)),
      base: this.#base?.tree.commit ?? null,
    };
  }

  async #compareWith(
    { tree: base, found }: MeasuredBase,
    wanted: readonly DetectedSpace[],
    signal: AbortSignal,
  ) {
    const { lostAddresses } = this.#found;
    const { compareWithBase } = await import('./compare-with-base.ts');
    let name = '';
    return await compareWithBase(
      this.#engine,
      base,
      {
        base: {
          tree: base.entries,
          read: this.#comments.watch(base.read),
          spaces: found.spaces,
          ignore: found.ignore,
        },
        head: {
          tree: this.#tree.entries,
          read: this.#readHead(() => name),
          spaces: this.#found.spaces,
          wanted,
          ignore: this.#found.ignore,
        },
        repository: this.#address,
        comments: this.#comments,
        today: this.#input.today,
        findsLostAddresses: lostAddresses !== 'off',
        onSpace: (space, side) => {
          signal.throwIfAborted();
          name = this.#nameOf(space);
          this.#input.onProgress?.(side === 'base' ? `Reading the base: ${name}` : `Checking ${name}`);
        },
      },
      { lostAddressesFail: lostAddresses === 'fail' },
    );
  }

  /** Checks the work tree without comparing it with anything. */
  async #checkAlone(wanted: readonly DetectedSpace[], signal: AbortSignal) {
    const spaces: AnalysedSpace[] = [];
    for (const space of wanted) {
      signal.throwIfAborted();
      this.#input.onProgress?.(`Checking ${this.#nameOf(space)}`);
      spaces.push(await this.#analyseHead(space, signal));
    }
    const ignores = createIgnores({
      rules: this.#found.ignore,
      commentsOf: this.#comments.commentsIn(this.#tree.entries),
      today: this.#input.today,
    });
    const links = ignores.apply(spaces.flatMap(({ analysis }) => analysis.links));
    const comparison: BaseComparison = {
      spaces,
      links: links.map((link) => ({ ...link, change: null })),
      fixed: [],
      notices: [],
      redirects: [],
    };
    return { comparison, ignores };
  }

  async #analyseHead(space: DetectedSpace, signal: AbortSignal): Promise<AnalysedSpace> {
    const read = this.#readHead(() => this.#nameOf(space));
    const analyse = async (renames: readonly Rename[]) => {
      const { entries: tree } = this.#tree;
      const options = { tree, read, renames, spaces: this.#found.spaces, repository: this.#address };
      return (await analyseSpaces(this.#engine, { ...options, wanted: [space] })) as [AnalysedSpace];
    };
    const [analysed] = await analyse([]);
    if (!this.#tree.isGit || !analysed.analysis.links.some(isGone)) return analysed;
    // A link to a page that was just renamed still gets its new name as a suggestion.
    this.#uncommitted ??= await renamesSince(this.#tree.root, 'HEAD', signal);
    if (this.#uncommitted.length === 0) return analysed;
    return (await analyse(this.#uncommitted))[0];
  }

  /** Reads files of the work tree and collects their comments. `nameOf` is the space that they are read for. */
  #readHead(nameOf: () => string): ReadBlobs {
    const onRead = (done: number, all: number) =>
      this.#input.onProgress?.(`Reading ${nameOf()}: ${done} of ${number(all, 'file')}`);
    return this.#comments.watch(readFrom(this.#tree, onRead));
  }

  #nameOf({ directory }: DetectedSpace): string {
    return directory === '' ? this.#tree.root : directory;
  }

  /** A declared space without files is mistyped or forgotten. */
  #explainEmpty({ space, analysis }: AnalysedSpace): readonly CheckNotice[] {
    if (analysis.files.length > 0) return [];
    const { directory } = space;
    const isThere = this.#tree.entries.some(({ path }) => isWithin(path, [directory]));
    const what = isThere
      ? `contains no page of its format, ${space.format}`
      : 'does not exist, so it contains no page';
    const message = `The folder of the space ${directory || '.'} ${what}.`;
    return [{ file: this.#found.configFile, line: null, rule: 'empty-space', message }];
  }

  #isWanted(file: string): boolean {
    return isWithin(file, this.#wanted);
  }

  /** Whether a space contains one of the paths, or is inside one. */
  #touches(directory: string): boolean {
    return (
      directory === '' ||
      isWithin(directory, this.#wanted) ||
      this.#wanted.some((scope) => isWithin(scope, [directory]))
    );
  }
}

function describeSpace({
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
