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

/** What the commands of a line copy into the space. */
export function copiesOf(line: string, space: Pick<SpaceInput, 'index' | 'directory'>): readonly Copy[] {
  return [...line.matchAll(COMMAND)].flatMap(([, program = '', words = '']) =>
    copiesIn(program, words, space),
  );
}

function copiesIn(
  program: string,
  words: string,
  { index, directory }: Pick<SpaceInput, 'index' | 'directory'>,
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
    const takesContents = /\/[*.]$/.test(path) || (program === 'rsync' && path.endsWith('/'));
    const isIntoFolder = written.endsWith('/') || index.isFolder(to);
    const name = path.replace(/\/+$/, '').replace(/^.*\//, '');
    const isInPlace = takesContents || (!isIntoFolder && program !== 'rsync');
    const target = isInPlace ? to : PATH.test(name) ? `${to}/${name}` : null;
    // What fills a folder that is there from elsewhere would make any path in it.
    if (target === null || !isInside(target, directory) || (!isThere && index.isFolder(target))) return [];
    return [{ to: target, from: isThere ? from : null }];
  });
}

function plain(path: string): RepoPath | null {
  const found = resolvePath('x', path.replace(/\/+$/, ''));
  return found.inside ? found.path : null;
}
