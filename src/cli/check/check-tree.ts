import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  createEngine,
  isSource,
  type Link,
  type Page,
  type Problem,
  type TreeEntry,
} from '../../content/index.ts';
import { type CommandIo, UsageError } from '../command.ts';
import { isFolderOnDisk, openWorkTree, type WorkTree } from './work-tree.ts';

export interface CheckedSpace {
  readonly directory: string;
  readonly format: 'github';
  readonly pages: number;
}

/** What one run of `docloom check` found, for every way of printing it. */
export interface CheckResult {
  /** The folder that all paths are relative to. */
  readonly root: string;
  readonly spaces: readonly CheckedSpace[];
  /** Files whose links were judged. */
  readonly files: number;
  /** By file and place. */
  readonly links: readonly Link[];
  readonly problems: readonly (Problem & { readonly file: string })[];
}

/** Checks the spaces of the work tree around `paths` and keeps what concerns those paths. */
export async function checkTree(
  paths: readonly string[],
  io: Pick<CommandIo, 'cwd' | 'signal'>,
): Promise<CheckResult> {
  const scopes = await Promise.all(paths.map((one) => locate(one, io.cwd)));
  const [first] = scopes;
  if (first === undefined) throw new UsageError('Name a folder or file to check.');
  const tree = await openWorkTree(first.folder, io.signal);
  const wanted = scopes.map((scope) => insideRoot(scope, tree.root));
  const directories = await directoriesOf(tree, wanted);
  const engine = createEngine();
  const links: Link[] = [];
  const problems: CheckResult['problems'][number][] = [];
  const spaces: CheckedSpace[] = [];
  const isWanted = (file: string) =>
    wanted.some((one) => one === '' || file === one || file.startsWith(`${one}/`));
  for (const directory of directories) {
    const analysis = await engine.analyse({
      tree: tree.entries,
      directory,
      siblingDirectories: directories,
      read: (entries) => readAll(tree, entries),
    });
    for (const link of analysis.links) if (isWanted(link.file)) links.push(link);
    for (const problem of analysis.problems) if (isWanted(problem.file)) problems.push(problem);
    spaces.push({
      directory: directory === '' ? '.' : directory,
      format: analysis.format,
      pages: countPages(analysis.pages),
    });
  }
  const isJudged = (entry: TreeEntry) => directories.some((directory) => isSource(entry, directory));
  const files = tree.entries.filter((entry) => isWanted(entry.path) && isJudged(entry)).length;
  return { root: tree.root, spaces, files, links, problems };
}

interface Scope {
  readonly said: string;
  readonly absolute: string;
  /** The folder itself, or the one that holds the file. */
  readonly folder: string;
}

async function locate(said: string, cwd: string): Promise<Scope> {
  const absolute = path.resolve(cwd, said);
  const isFolder = await isFolderOnDisk(absolute, said);
  const real = await realpath(absolute);
  return { said, absolute: real, folder: isFolder ? real : path.dirname(real) };
}

/** The path of a scope below the root, with `/` between segments; '' for the root itself. */
function insideRoot(scope: Scope, root: string): string {
  const inside = path.relative(root, scope.absolute).split(path.sep).join('/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside)) {
    throw new UsageError(
      `${scope.said} is outside ${root}. Check paths of one repository or folder at a time.`,
    );
  }
  return inside;
}

const CONFIG_FILE = '.github/docloom.yml';

/** The spaces of the configuration file that the paths touch; without one, the named folders or the repository. */
async function directoriesOf(tree: WorkTree, wanted: readonly string[]): Promise<readonly string[]> {
  const entry = tree.entries.find((one) => one.path === CONFIG_FILE);
  const bytes = entry === undefined ? null : await tree.read(entry);
  if (bytes === null) return [''];
  const { parseConfig } = await import('../../content/config/parse-config.ts');
  const parsed = parseConfig(new TextDecoder().decode(bytes));
  if ('problems' in parsed) {
    const said = parsed.problems.map(({ message, line }) => `${CONFIG_FILE}:${line}: ${message}`);
    throw new UsageError(said.join('\n'));
  }
  const touches = (directory: string, one: string) =>
    one === '' ||
    directory === '' ||
    one === directory ||
    one.startsWith(`${directory}/`) ||
    directory.startsWith(`${one}/`);
  return parsed.config.spaces
    .map((space) => space.directory)
    .filter((directory) => wanted.some((one) => touches(directory, one)));
}

async function* readAll(tree: WorkTree, entries: readonly TreeEntry[]) {
  const batch = 64;
  for (let at = 0; at < entries.length; at += batch) {
    const some = entries.slice(at, at + batch);
    const read = await Promise.all(some.map((entry) => tree.read(entry)));
    for (const [index, bytes] of read.entries()) {
      const entry = some[index];
      if (bytes !== null && entry !== undefined) yield { oid: entry.oid, bytes };
    }
  }
}

function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}
