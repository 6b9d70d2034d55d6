import type { SpaceInput } from '../format-port/index.ts';
import type { RepoPath } from '../model/index.ts';
import { folderOf, isInside, isLeftOut, matchGitignore, pathInside } from '../tree/index.ts';
import type { ExplainMade } from './made-targets.ts';

/** What a repository's `.gitignore` files name. */
export interface IgnoredTargets {
  /** Equal for two trees in which they name the same. */
  readonly key: string;
  /** Returns the file that names a path; null when none does. */
  fileNaming(path: RepoPath): RepoPath | null;
}

/** Files beyond this number are ignored, the deepest first. */
const MAX_FILES = 50;

/** Reads the repository's `.gitignore` files: what they name is made by a build, and not kept. */
export function readIgnoredTargets({ index, text }: Pick<SpaceInput, 'index' | 'text'>): IgnoredTargets {
  const files = index
    .named('.gitignore')
    .filter((path) => folderOf(path) === '' || !isLeftOut(folderOf(path)))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, MAX_FILES)
    .map((path) => ({ path, folder: folderOf(path), ignores: matchGitignore(text(path) ?? '') }));
  return {
    key: files.map(({ path }) => `${path} ${index.entry(path)?.oid}`).join('\n'),
    fileNaming: (path) =>
      files.find(({ folder, ignores }) => isInside(path, folder) && ignores(pathInside(path, folder)))
        ?.path ?? null,
  };
}

/** What `.gitignore` names may be made when the site is built. */
export function explainIgnored({ fileNaming }: IgnoredTargets): ExplainMade {
  return (path, written) => {
    // An address may be that of the first page of a folder that is made.
    const isFile = /\.\w+(?:[?#]|$)/.test(written);
    const ofFolder = path.replace(/\.mdx?$/i, '/index.md');
    const source = fileNaming(path) ?? (isFile ? null : fileNaming(ofFolder));
    return source === null
      ? null
      : `${path} is not in the repository: ${source} names it, so a build may make it.`;
  };
}
