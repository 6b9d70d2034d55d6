import type { LinkRules, PathResolution } from '../format-port/index.ts';
import type { RepoPath, Rule } from '../model/index.ts';
import { folderOf } from '../tree/index.ts';
import type { LinkContext } from './link-context.ts';

/** Why a path does not exist, and the destination to suggest if it is certain. */
export interface MissingPath {
  readonly rule: Rule;
  readonly message: string;
  readonly suggestion: string | null;
  /** The suggestion is the file's new path, which is shown even if readers cannot reach it yet. */
  readonly isRenamed?: boolean;
}

/**
 * Explains a link none of whose candidates exists: renamed, another case, a missing or wrong extension, moved; else just
 * missing. `path` is the candidate that the message names; `isReached` decides whether readers can reach a suggestion.
 */
export function suggestPath(
  context: Pick<LinkContext, 'index' | 'renames' | 'budget'>,
  rules: Pick<LinkRules, 'isPage' | 'alternativePaths' | 'indexPageOf'>,
  resolution: PathResolution,
  path: RepoPath,
  isReached: (suggestion: string) => boolean,
): MissingPath {
  const { index } = context;
  const expects = resolution.expects ?? (rules.isPage(path) ? 'page' : 'file');
  const rule = expects === 'page' ? 'missing-page' : 'missing-file';
  const to = (found: RepoPath, wantsFolder = false) => resolution.write(found, { wantsFolder });
  const { candidates } = resolution;

  const renamed = firstOf(candidates, (candidate) => renamedPath(context, candidate));
  if (renamed !== null && !candidates.some((candidate) => isAlike(candidate, renamed))) {
    const folder = folderOf(renamed);
    // A folder's page moved with its folder: the link still names the folder.
    const isFolder = resolution.wantsFolder && rules.indexPageOf(folder) === renamed;
    const suggestion = isFolder ? to(folder, true) : to(renamed);
    return { rule, message: `${path} is now ${isFolder ? folder : renamed}.`, suggestion, isRenamed: true };
  }
  for (const candidate of candidates) {
    const [alike, another] = index.alike(candidate);
    if (alike === undefined) continue;
    const isSameText = alike.normalize('NFC') === candidate.normalize('NFC');
    return {
      rule: 'case-mismatch',
      message: isSameText
        ? `${alike} looks the same, but stores its accents in another Unicode form, so GitHub and Linux do not find it: copy the name from the file.`
        : `There is no ${candidate}; ${alike} differs only in case, which counts on GitHub and on Linux.`,
      suggestion: another === undefined ? to(alike, resolution.wantsFolder && index.isFolder(alike)) : null,
    };
  }
  const extended = [...new Set([...rules.alternativePaths(path), ...otherMarkdown(path)])].filter(
    (candidate) => index.entry(candidate) !== undefined,
  );
  if (extended[0] !== undefined) {
    const message = `There is no ${path}; the file is ${extended[0]}.`;
    const suggestion = extended.length === 1 ? to(extended[0]) : null;
    return { rule, message: nothingAt(resolution, extended[0], suggestion) ?? message, suggestion };
  }
  const raw = resolution.unencoded.find((candidate) => index.entry(candidate.path) !== undefined);
  const isMeant = (found: RepoPath) => {
    const suggestion = to(found);
    return suggestion !== null && isReached(suggestion);
  };
  const moved = firstOf(candidates, (candidate) => movedPath(context, candidate, isMeant));
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = expects === 'page' ? 'page' : name.includes('.') ? 'file' : 'file or folder';
  const suggestion =
    raw !== undefined
      ? resolution.write(raw.path, { tail: raw.tail, wantsFolder: resolution.wantsFolder })
      : moved === null
        ? null
        : to(moved);
  const message = `There is no ${kind} ${path} in the repository.`;
  const meant = raw?.path ?? moved;
  return {
    rule,
    message: nothingAt(resolution, expects === 'page' ? meant : null, suggestion) ?? message,
    suggestion,
  };
}

/** The page with components for one without, and the other way round. */
function otherMarkdown(path: RepoPath): readonly RepoPath[] {
  if (/\.md$/i.test(path)) return [`${path}x`];
  return /\.mdx$/i.test(path) ? [path.slice(0, -1)] : [];
}

/** The message for an address: people know the address that they wrote, and not the file that it might have meant. */
function nothingAt(
  { address, expects }: PathResolution,
  meant: RepoPath | null,
  suggestion: string | null,
): string | null {
  if (address === undefined || expects === 'file') return null;
  if (meant === null) return `No page is published at ${address}.`;
  return suggestion === null
    ? `No page is published at ${address}, although ${meant} is in the repository.`
    : `No page is published at ${address}; ${meant} has another address.`;
}

/** Whether two paths differ by case or Unicode form alone, which has its own rule. */
function isAlike(a: RepoPath, b: RepoPath): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}

function firstOf<Value>(paths: readonly RepoPath[], find: (path: RepoPath) => Value | null): Value | null {
  for (const path of paths) {
    const found = find(path);
    if (found !== null) return found;
  }
  return null;
}

/** With more files of one name, none of them is suggested. */
const MAX_NAMESAKES = 20;

/** The only file of that name that readers can reach; null also when a folder of that name has a page. */
function movedPath(
  { index, budget }: Pick<LinkContext, 'index' | 'budget'>,
  path: RepoPath,
  isMeant: (path: RepoPath) => boolean,
): RepoPath | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = isCommonName(name) ? [] : index.named(name);
  if (named.length > MAX_NAMESAKES) return null;
  const [found, ...further] = named.filter(isMeant);
  if (found === undefined || further.length > 0) return null;
  const stem = /^(.+)\.(?:mdx?|markdown)$/i.exec(name)?.[1];
  for (const page of stem === undefined ? [] : FOLDER_PAGES) {
    const pages = index.named(page);
    if (!budget.spend(pages.length) || pages.some((candidate) => candidate.endsWith(`/${stem}/${page}`)))
      return null;
  }
  return found;
}

const FOLDER_PAGES = ['README.md', 'index.md', 'index.mdx'];

/** Returns the new path of a renamed file, or of the page of a removed folder; null when it was not renamed. */
export function renamedPath(
  { index, renames }: Pick<LinkContext, 'index' | 'renames'>,
  path: RepoPath,
): RepoPath | null {
  const renamed = renames.get(path);
  if (renamed !== undefined && index.entry(renamed) !== undefined) return renamed;
  for (const name of ['README.md', 'index.md']) {
    const page = renames.get(path === '' ? name : `${path}/${name}`);
    if (page !== undefined && index.entry(page) !== undefined) return page;
  }
  return null;
}

/** Whether a name occurs in many folders or was numbered by a program, so that a single file with it may not be the one that was meant. */
function isCommonName(name: string): boolean {
  return (
    /^(?:readme|index|summary|license|changelog|contributing)(?:\.\w+)?$/i.test(name) ||
    / \(\d+\)\.\w+$/.test(name) ||
    name === ''
  );
}
