import { brokenVerdict, type LinkResolution, linkVerdict } from '../../format-port/index.ts';
import { parseTarget, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { resolvePath } from '../../tree/index.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';

/** Resolves a snippet (`--8<-- "file.md:section"`) to a file in one of the configured folders. */
export function resolveInclude(
  { snippetFolders }: MkdocsConfig,
  file: RepoPath,
  { target }: Reference,
): LinkResolution {
  if (/^https?:/i.test(target))
    return linkVerdict('unchecked', 'The included text stands outside the repository.');
  if (snippetFolders === null)
    return linkVerdict('unchecked', 'The folders of included files are not known.');
  const path = includedPath(target);
  const candidates = snippetFolders.flatMap((folder) => {
    const resolution = resolvePath(folder === '' ? 'x' : `${folder}/x`, path);
    return resolution.inside ? [resolution.path] : [];
  });
  const [first, ...rest] = candidates;
  if (first === undefined) return brokenVerdict('outside-repository', 'The path leaves the repository.');
  const parsed = parseTarget(file, { kind: 'block', target: path });
  return {
    ...resolvePaths(file, parsed, [first, ...rest], null),
    wantsFolder: false,
    expects: 'file',
    write: () => null,
  };
}

/** The path of a snippet, without its lines (`:2:5`) or section. */
export function includedPath(target: string): string {
  return target.replace(/(?::-?\d*){1,3}$|:[\w-]+$/, '');
}
