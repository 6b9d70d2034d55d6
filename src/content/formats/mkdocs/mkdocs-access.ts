import {
  brokenVerdict,
  type FoundTarget,
  generatedVerdict,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import { parseTarget } from '../../links/index.ts';
import type { Reference, RepoPath, RepositoryAddress } from '../../model/index.ts';
import { isInside, pathInside, relativePath } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { isMkdocsPage } from './published-site.ts';
import type { SitePaths } from './site-paths.ts';

/** Why a missing target may still exist once the site is built. */
export function explainMissingPage(
  { config, docs, index }: SitePaths,
  { candidates }: PathResolution,
): LinkVerdict | null {
  const { generates, standardDocs, script } = config;
  const [path] = candidates;
  if (!isInside(path, docs)) return null;
  const inside = pathInside(path, docs);
  if (isOfTheme(inside)) {
    return linkVerdict('unchecked', `The repository has no ${path}; the theme may bring it.`);
  }
  const [top = ''] = inside.split('/', 1);
  if (script?.fills(top) === true && !index.isFolder(joinPath(docs, top)))
    return generatedVerdict(
      `The repository has no ${path}, and ${script.path} fills ${top} when the site is built.`,
    );
  const untranslated = candidates
    .filter((candidate) => standardDocs !== null && isInside(candidate, docs))
    .map((candidate) => `${standardDocs}/${pathInside(candidate, docs)}`)
    .find((candidate) => index.has(candidate));
  if (untranslated !== undefined)
    return generatedVerdict(`There is no ${path}; the build may show ${untranslated} in its place.`);
  if (
    generates === null ||
    !candidates.some(
      (candidate) => isInside(candidate, docs) && generates.mayMake(pathInside(candidate, docs)),
    )
  )
    return null;
  return generatedVerdict(
    `The repository has no ${path}, and ${generates.what} may make it when the site is built.`,
  );
}

/** Why readers cannot reach a file that exists. */
export function checkMkdocsAccess(
  { config, site, docs, isShownCode }: SitePaths,
  { candidate, file, isFolder }: FoundTarget,
  from: RepoPath,
  reference: Reference,
  repository: RepositoryAddress | undefined,
): LinkVerdict | null {
  if (reference.kind === 'block' || parseTarget(from, reference, repository).writtenPrefix !== '')
    return null;
  if (site.addressOf(candidate) !== null || site.isBehindSymlink(candidate)) return null;
  if (isFolder) {
    const suggestion = file === null ? null : relativePath(from, file);
    return brokenVerdict(
      'missing-page',
      `${folderName(candidate)} is a folder, and no page is published at this address.`,
      suggestion,
    );
  }
  if (!isInside(candidate, docs)) {
    if (config.includesCode && !isMkdocsPage(candidate) && isShownCode(from, reference))
      return linkVerdict('unchecked', `The plugin “codeinclude” may show ${candidate} in the link’s place.`);
    if (config.assembly !== null) {
      return generatedVerdict(
        `${config.assembly} has the site built from a copy of ${config.file}, beside which ${candidate} may be.`,
      );
    }
    return brokenVerdict(
      'outside-space',
      `${candidate} is not in ${folderName(docs)}, so MkDocs does not publish it.`,
    );
  }
  return brokenVerdict('unlisted-page', `${candidate} is excluded from the site by ${config.file}.`);
}

/** Files that MkDocs adds to every site. */
export function isMadeByBuilder(address: string): boolean {
  return /^(?:404\.html|sitemap\.xml(?:\.gz)?|search\.html|search\/.*|objects\.inv)$/.test(address);
}

/** Whether a file is published by the themes of MkDocs or of Material for MkDocs. */
function isOfTheme(path: string): boolean {
  return /^(?:css\/(?:base|theme|bootstrap)\b.*|js\/(?:base|theme|bootstrap)\b.*|img\/(?:favicon\.ico|grid\.png)|webfonts\/.*|assets\/(?:images\/favicon\.png|javascripts\/.*|stylesheets\/.*))$/.test(
    path,
  );
}

function folderName(path: RepoPath): string {
  return path === '' ? 'The repository’s root' : path;
}
