import type { SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { isInside, resolvePath } from '../tree/index.ts';

/** What a command copies. */
interface Copy {
  readonly to: RepoPath;
  /** Null for what is not in the repository itself. */
  readonly from: RepoPath | null;
}

const COMMAND = /(?:^|&&|;|\brun:|^\s*-)\s*(?:sudo\s+)?(cp|mv|rsync|git mv)\s+([^&|;#>]+)/g;

/** A path without variables and patterns but for all files of a folder. */
const PATH = /^[\w@./-]+?(?:\/\*)?$/;

/** Whether a line has such a command. */
export function isCopyCommand(line: string): boolean {
  return line.search(COMMAND) !== -1;
}

/** Where a step of a workflow puts another repository. */
const CHECKOUT =
  /^[ \t]*repository:[ \t]*["']?[\w.-]{1,100}\/[\w.-]{1,100}["']?[ \t]*\r?\n(?:[ \t]*(?!path:)[\w-]{1,50}:.*\n){0,6}[ \t]*path:[ \t]*["']?([\w-][\w./-]{0,100})/gm;

/** Returns the folders into which the workflows of a text check other repositories out. */
export function checkoutsIn(text: string): readonly RepoPath[] {
  return [...text.matchAll(CHECKOUT)].flatMap(([, folder = '']) => plain(folder) ?? []);
}

/** What the commands of a line copy into the space; `checkouts` are folders with other repositories. */
export function copiesOf(
  line: string,
  space: Pick<SpaceInput, 'index' | 'directory'>,
  checkouts: readonly RepoPath[] = [],
): readonly Copy[] {
  return [...line.replaceAll(WORKSPACE, '').matchAll(COMMAND)].flatMap(([, program = '', words = '']) =>
    copiesIn(program, words, space, checkouts),
  );
}

/** The top of the repository in a workflow. */
const WORKSPACE = /\$(?:GITHUB_WORKSPACE|\{GITHUB_WORKSPACE\}|\{\{\s*github\.workspace\s*\}\})\//g;

function copiesIn(
  program: string,
  words: string,
  { index, directory }: Pick<SpaceInput, 'index' | 'directory'>,
  checkouts: readonly RepoPath[],
): readonly Copy[] {
  const paths = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["']$/g, ''))
    .filter((word) => !word.startsWith('-'));
  const written = paths.at(-1) ?? '';
  const to = PATH.test(written) ? plain(written) : null;
  if (to === null || to === '') return [];
  return paths.slice(0, -1).flatMap((path) => {
    const from = PATH.test(path) ? plain(path.replace(/\/[*.]$/, '')) : null;
    const isThere = from !== null && (index.entry(from) !== undefined || index.isFolder(from));
    const isOther = from !== null && checkouts.some((folder) => from === folder || isInside(from, folder));
    const takesContents = /\/[*.]$/.test(path) || (program === 'rsync' && path.endsWith('/'));
    const isIntoFolder = written.endsWith('/') || index.isFolder(to);
    const name = path.replace(/\/+$/, '').replace(/^.*\//, '');
    const isInPlace = takesContents || (!isIntoFolder && program !== 'rsync');
    const target = isInPlace ? to : PATH.test(name) ? `${to}/${name}` : null;
    if (target === null || !isInside(target, directory)) return [];
    // What a build fills a folder with that is there could be any path in it; another repository has pages like those there.
    if (!isThere && !isOther && index.isFolder(target)) return [];
    return [{ to: target, from: isThere ? from : null }];
  });
}

function plain(path: string): RepoPath | null {
  const found = resolvePath('x', path.replace(/\/+$/, ''));
  return found.inside ? found.path : null;
}
