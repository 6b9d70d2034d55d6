import type { Format, SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { isInside, pathInside, resolvePath } from '../tree/index.ts';
import { makingTargets } from './made-targets.ts';

/** What a command copies before a site is built. */
interface Copy {
  readonly to: RepoPath;
  /** Null for what is not in the repository itself. */
  readonly from: RepoPath | null;
  /** The file with the command. */
  readonly source: RepoPath;
}

/** Files and commands beyond these numbers are ignored, and so are longer texts and lines. */
const MAX_FILES = 30;
const MAX_COPIES = 200;
const MAX_TEXT = 200_000;
const MAX_LINE = 1_000;

const COMMAND = /(?:^|&&|;|\brun:|^\s*-)\s*(?:sudo\s+)?(cp|mv|rsync|git mv)\s+([^&|;#>]+)/g;

/** A page or picture that a command writes: `sed … README.md > docs/index.md`. */
const REDIRECT = /[\s\w"')]>{1,2}\s*["']?((?:[\w-]+\/){1,8}[\w.-]{1,100}\.\w{2,5})["']?\s*(?:$|&&|;|\|)/g;

/** A script that a step runs by its path. */
const SCRIPT = /(?:^|[\s"'])(?:\.\/)?((?:[\w-]+\/){0,8}[\w.-]{1,100}\.sh)\b/gm;

/** A path without variables and patterns but for all files of a folder. */
const PATH = /^[\w@./-]+?(?:\/\*)?$/;

/**
 * The format of a builder of whose sites a workflow of the repository's host, or a script that it runs, puts parts together
 * before they are built: what it copies there is missing in the repository.
 */
export function withCopies(format: Format): Format {
  return makingTargets(format, (space) => {
    const copies = copiesOf(space);
    if (copies.length === 0) return null;
    const { index } = space;
    return (path) => {
      const copy = copies.find(({ to, from }) => {
        if (path !== to && !isInside(path, to)) return false;
        if (from === null) return true;
        const original = path === to ? from : `${from}/${pathInside(path, to)}`;
        return index.entry(original) !== undefined || index.isFolder(original);
      });
      return copy === undefined
        ? null
        : `${path} is not in the repository: ${copy.source} ${copy.from === null ? `makes ${copy.to}` : `copies ${copy.from} to ${copy.to}`} before the site is built.`;
    };
  });
}

function copiesOf(space: SpaceInput): readonly Copy[] {
  const texts = new Map<RepoPath, string>();
  const read = (path: RepoPath) => {
    const text = texts.size < MAX_FILES && !texts.has(path) ? (space.text(path) ?? '') : '';
    if (text !== '' && text.length <= MAX_TEXT) texts.set(path, text);
  };
  const workflows = space.tree.filter(({ path }) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path));
  for (const { path } of workflows) read(path);
  const steps = [...texts.values()];
  for (const [, script = ''] of steps.flatMap((text) => [...text.matchAll(SCRIPT)]))
    if (space.index.entry(script) !== undefined) read(script);
  const copies: Copy[] = [];
  for (const [source, text] of texts) {
    for (const line of text.split('\n')) {
      if (line.length > MAX_LINE || /^\s*#/.test(line)) continue;
      for (const [, program = '', words = ''] of line.matchAll(COMMAND))
        copies.push(...copiesIn(program, words, space).map((copy) => ({ ...copy, source })));
      for (const [, to = ''] of line.matchAll(REDIRECT))
        if (isInside(to, space.directory)) copies.push({ to, from: null, source });
    }
  }
  return copies.slice(0, MAX_COPIES);
}

function copiesIn(
  program: string,
  words: string,
  { index, directory }: SpaceInput,
): readonly Omit<Copy, 'source'>[] {
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
