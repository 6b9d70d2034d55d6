import { brokenVerdict, type FoundTarget, type LinkVerdict, linkVerdict } from '../../format-port/index.ts';
import { schemeOf } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import type { GitbookContext } from './gitbook-context.ts';

/** Files that people read on the repository's host, even if they are in the folder of the docs. */
const REPOSITORY_FILE =
  /(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|GOVERNANCE|MAINTAINERS|AUTHORS|CHANGELOG|AGENTS|CLAUDE)(?:\.md)?$/i;

/** Why readers of a published page cannot reach an existing target, or a warning about the link; null if it is fine. */
export function checkGitbookAccess(
  context: GitbookContext,
  found: FoundTarget,
  reference: Reference,
): LinkVerdict | null {
  const { space } = context;
  const { root } = space.config;
  // An address on the repository's host shows the file.
  if (schemeOf(reference.target) !== null) return null;
  const path = found.file ?? found.candidate;
  if (isUpload(reference)) {
    if (isInside(found.candidate, root)) return null;
    return brokenVerdict(
      'outside-space',
      `${path} exists, and GitBook does not take ${reference.carrier === 'include' ? 'includes' : 'files'} from outside ${folderName(root)}, the space’s folder.`,
    );
  }
  if (found.isFolder && found.file === null) return checkFolderAccess(context, found.candidate);
  if (isInside(found.candidate, root) && isInside(path, root)) {
    return checkPageAccess(context, found, path) ?? (found.isFolder ? warnOfFolder(reference) : null);
  }
  const owner = context.siblings().find((candidate) => isInside(path, candidate.config.root));
  if (owner === undefined || !/\.md$/i.test(path) || isDotFile(path)) return null;
  return brokenVerdict(
    'outside-space',
    `${path} exists, and it is a page of the space in ${folderName(owner.config.root)}; a path does not lead there from here.`,
  );
}

function checkPageAccess(
  { space: { config, listed }, copiesFiles }: GitbookContext,
  found: FoundTarget,
  path: RepoPath,
): LinkVerdict | null {
  if (!/\.md$/i.test(path) || isDotFile(path) || listed.size === 0) return null;
  if (listed.has(path) || listed.has(found.candidate) || path === config.readme) return null;
  if (path === config.summary || REPOSITORY_FILE.test(path)) return null;
  if (/(?:^|\/)\.[^/]+$/.test(path))
    return linkVerdict(
      'unchecked',
      `Whether GitBook publishes ${path}, whose name begins with a point, is not known.`,
    );
  if (copiesFiles) return copiedAsFile(path, config.summary);
  return warnOfUnlisted(
    `${path} exists, and ${config.summary} does not list it: GitBook leads readers to the file on the repository’s host, which those see who may read the repository.`,
  );
}

/** GitBook makes the link to a file that is no page of the space one to the repository’s host. */
function warnOfUnlisted(message: string): LinkVerdict {
  return linkVerdict('ok', null, { warning: { rule: 'unlisted-page', message } });
}

/** Checks a link to a folder without a README: it is a group's address, a folder of other files, or a missing page. */
function checkFolderAccess(context: GitbookContext, folder: RepoPath): LinkVerdict | null {
  const { index, space, siblings } = context;
  const { root } = space.config;
  if (folder === root || !isInside(folder, root)) {
    const owner = siblings().find(
      (candidate) => folder === candidate.config.root || isInside(folder, candidate.config.root),
    );
    if (owner === undefined) return null;
    return brokenVerdict(
      'outside-space',
      `${folder} is a folder of the space in ${folderName(owner.config.root)}; a path does not lead there from here.`,
    );
  }
  if (space.paths.has(pathInside(folder, root))) return null;
  const hasListedPages = [...space.listed.keys()].some((path) => isInside(path, folder));
  if (!hasListedPages && space.listed.size > 0 && context.containsOnlyPages(folder)) {
    if (context.copiesFiles) return copiedAsFile(folder, space.config.summary);
    return warnOfUnlisted(
      `${folder} holds pages that ${space.config.summary} does not list: GitBook leads readers to the folder on the repository’s host, which those see who may read the repository.`,
    );
  }
  if (!hasListedPages) return null;
  // People on GitHub see the folder; readers of the space find no page.
  const message = `${folder} is a folder without a README.md, so no page stands there.`;
  return index.isFolder(folder) ? brokenVerdict('missing-page', message) : null;
}

function copiedAsFile(path: RepoPath, summary: RepoPath): LinkVerdict {
  return linkVerdict(
    'unchecked',
    `${path} exists, and ${summary} does not list it: what reads book.json copies it as it is, and a plugin may show it.`,
  );
}

/** GitHub resolves a folder without a slash at the end; GitBook needs the slash. */
function warnOfFolder({ target }: Reference): LinkVerdict | null {
  const [path = ''] = target.split(/[?#]/, 1);
  if (path === '' || path.endsWith('/') || /(?:^|\/)\.{1,2}$/.test(path)) return null;
  const message = 'A folder’s page needs its slash at the end on GitBook.';
  return linkVerdict('ok', null, {
    warning: { rule: 'works-on-github-only', message },
    suggestion: `${path}/${target.slice(path.length)}`,
  });
}

function isUpload({ kind, carrier, target, text }: Reference): boolean {
  if (kind === 'block') return carrier !== 'content-ref' && carrier !== 'page-ref' && carrier !== 'embed';
  // A card's cover: `<td><a href="cover.png">cover.png</a></td>`.
  if (kind === 'html-link') return PICTURE.test(text) && target.endsWith(`/${text}`);
  return isPictureKind(kind) || (kind === 'front-matter' && carrier === 'cover');
}

export const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;

export function isPictureKind(kind: Reference['kind']): boolean {
  return kind === 'image' || kind === 'html-image';
}

/** Includes, settings and assets are stored in `.gitbook` and are never pages. */
export function isDotFile(path: RepoPath): boolean {
  return /(?:^|\/)\.[^/]+\//.test(path);
}

function folderName(folder: RepoPath): string {
  return folder === '' ? 'the root' : folder;
}
