import type { LinkRules, PathResolution } from '../formats/link-rules.ts';
import type { RepoPath, Rule } from '../model.ts';
import type { JudgeContext } from './judge-link.ts';

/** Why nothing is at a path, and where the link should lead if that is certain. */
export interface MissingPath {
  readonly rule: Rule;
  readonly message: string;
  readonly suggestion: string | null;
  /** The suggestion is where the file went, which is worth telling even when readers do not get there yet. */
  readonly isRenamed?: boolean;
}

/**
 * Explains a link none of whose candidates is there: renamed, another case, an extension left out or wrong, moved;
 * else just missing. `path` is the candidate that the message names.
 */
export function suggestPath(
  context: Pick<JudgeContext, 'index' | 'renames'>,
  rules: Pick<LinkRules, 'isPage' | 'otherNames'>,
  resolution: PathResolution,
  path: RepoPath,
): MissingPath {
  const { index } = context;
  const expects = resolution.expects ?? (rules.isPage(path) ? 'page' : 'file');
  const rule = expects === 'page' ? 'missing-page' : 'missing-file';
  const to = (found: RepoPath, wantsFolder = false) => resolution.write(found, { wantsFolder });
  const { candidates } = resolution;

  const renamed = firstOf(candidates, (one) => renamedPath(context, one));
  if (renamed !== null) {
    return { rule, message: `${path} is now ${renamed}.`, suggestion: to(renamed), isRenamed: true };
  }
  for (const candidate of candidates) {
    const [alike, another] = index.alike(candidate);
    if (alike === undefined) continue;
    const differs = alike.normalize('NFC') === candidate.normalize('NFC') ? 'Unicode form' : 'case';
    return {
      rule: 'case-mismatch',
      message: `There is no ${candidate}; ${alike} differs only in ${differs}, which counts on GitHub and on Linux.`,
      suggestion: another === undefined ? to(alike, resolution.wantsFolder && index.isFolder(alike)) : null,
    };
  }
  const extended = rules.otherNames(path).filter((one) => index.entry(one) !== undefined);
  if (extended[0] !== undefined) {
    const message = `There is no ${path}; the file is ${extended[0]}.`;
    return { rule, message, suggestion: extended.length === 1 ? to(extended[0]) : null };
  }
  const raw = resolution.unencoded.find((one) => index.entry(one.path) !== undefined);
  const moved = firstOf(candidates, (one) => movedPath(context, one));
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = expects === 'page' ? 'page' : name.includes('.') ? 'file' : 'file or folder';
  const suggestion =
    raw !== undefined
      ? resolution.write(raw.path, { tail: raw.tail, wantsFolder: resolution.wantsFolder })
      : moved === null
        ? null
        : to(moved);
  return { rule, message: `There is no ${kind} ${path} in the repository.`, suggestion };
}

function firstOf<Value>(paths: readonly RepoPath[], find: (path: RepoPath) => Value | null): Value | null {
  for (const path of paths) {
    const found = find(path);
    if (found !== null) return found;
  }
  return null;
}

/** The only file of that name. */
function movedPath({ index }: Pick<JudgeContext, 'index'>, path: RepoPath): RepoPath | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [named, ...others] = isCommonName(name) ? [] : index.named(name);
  return named === undefined || others.length > 0 ? null : named;
}

/** Follows renames, also of the page that stands for a folder that is gone. */
export function renamedPath(
  { index, renames }: Pick<JudgeContext, 'index' | 'renames'>,
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

/** Names that stand in many folders, so that the only one left is not the one that was meant. */
function isCommonName(name: string): boolean {
  return /^(?:readme|index|summary|license|changelog|contributing)(?:\.\w+)?$/i.test(name) || name === '';
}
