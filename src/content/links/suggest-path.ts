import type { RepoPath, Rule } from '../model.ts';
import { isPageFile } from '../tree/page-files.ts';
import { resolvePath } from '../tree/relative-path.ts';
import type { JudgeContext } from './judge-link.ts';
import type { ParsedTarget } from './parse-target.ts';
import { writeTarget } from './write-target.ts';

/** Why nothing is at a path, and where the link should lead if that is certain. */
export interface MissingPath {
  readonly rule: Rule;
  readonly message: string;
  readonly suggestion: string | null;
}

/** Explains a path where nothing is: renamed, another case, an extension left out or wrong, moved; else just missing. */
export function suggestPath(
  context: Pick<JudgeContext, 'index' | 'renames'>,
  file: RepoPath,
  parsed: ParsedTarget,
  path: RepoPath,
): MissingPath {
  const { index } = context;
  const rule = isPageFile(path) ? 'missing-page' : 'missing-file';
  const to = (found: RepoPath, wantsFolder = false) => writeTarget(file, { ...parsed, wantsFolder }, found);

  const renamed = renamedPath(context, path);
  if (renamed !== null) {
    return { rule, message: `${path} is now ${renamed}.`, suggestion: to(renamed) };
  }
  const [alike, another] = index.alike(path);
  if (alike !== undefined) {
    const differs = alike.normalize('NFC') === path.normalize('NFC') ? 'Unicode form' : 'case';
    return {
      rule: 'case-mismatch',
      message: `There is no ${path}; ${alike} differs only in ${differs}, which counts on GitHub and on Linux.`,
      suggestion: another === undefined ? to(alike, parsed.wantsFolder && index.isFolder(alike)) : null,
    };
  }
  const extended = otherExtensions(path).filter((one) => index.entry(one) !== undefined);
  if (extended[0] !== undefined) {
    const message = `There is no ${path}; the file is ${extended[0]}.`;
    return { rule, message, suggestion: extended.length === 1 ? to(extended[0]) : null };
  }
  const raw = rawPath(context, file, parsed);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [named, ...others] = isCommonName(name) ? [] : index.named(name);
  const moved = others.length === 0 ? named : undefined;
  const kind = rule === 'missing-page' ? 'page' : name.includes('.') ? 'file' : 'file or folder';
  const suggestion = raw ?? (moved === undefined ? null : to(moved));
  return { rule, message: `There is no ${kind} ${path} in the repository.`, suggestion };
}

/** Follows renames, also of the page that stands for a folder that is gone. */
function renamedPath(
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

function otherExtensions(path: RepoPath): RepoPath[] {
  if (path === '') return [];
  const stem = path.replace(/\.html?$/i, '');
  const found =
    stem === path
      ? [`${path}.md`, `${path}.markdown`]
      : [`${stem}.md`, `${stem}.markdown`, `${stem}/README.md`];
  return /\.md$/i.test(path)
    ? [path.replace(/\.md$/i, '.markdown'), path.replace(/\.md$/i, '/README.md')]
    : found;
}

/** A file whose name holds `#`, `?` or `%` that the author did not encode. */
function rawPath(
  { index }: Pick<JudgeContext, 'index'>,
  file: RepoPath,
  parsed: ParsedTarget,
): string | null {
  if (parsed.writtenPath === '') return null;
  for (const tail of ['', parsed.writtenTail]) {
    const written = tail === '' ? parsed.writtenPath + parsed.writtenTail : parsed.writtenPath;
    if (!/[%#?]/.test(written)) continue;
    const resolution = resolvePath(file, written);
    if (resolution.inside && index.entry(resolution.path) !== undefined) {
      return writeTarget(file, parsed, resolution.path, tail);
    }
  }
  return null;
}

/** Names that stand in many folders, so that the only one left is not the one that was meant. */
function isCommonName(name: string): boolean {
  return /^(?:readme|index|summary|license|changelog|contributing)(?:\.\w+)?$/i.test(name) || name === '';
}
