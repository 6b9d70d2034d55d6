import {
  brokenVerdict,
  type LinkResolution,
  type LinkRules,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import { parseTarget, resolveParsed, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { isInside, pathInside, type TreeIndex, trimSlashes } from '../../tree/index.ts';
import { explainMovedPage, readAppAddress, resolveAppAddress } from './app-address.ts';
import { checkGitbookAccess, isDotFile, isPictureKind } from './gitbook-access.ts';
import { checkGitbookAnchor } from './gitbook-anchors.ts';
import { joinFolder } from './gitbook-config.ts';
import type { GitbookContext } from './gitbook-context.ts';
import type { PublishedSpace } from './gitbook-pages.ts';
import { type SplitTarget, splitTarget } from './split-target.ts';

/** What GitBook writes instead of a destination that is gone. */
const MARKER = /(?:^|\/)(?:broken-reference\/?|broken\/(?:pages|spaces|files|openapi)\/[^?#]+)(?:[?#]|$)/;

/**
 * The rules of GitBook's pages. `isPublished` is whether readers can open the file that contains the links: in files that
 * the table of contents does not list, only links to missing files are broken.
 */
export function gitbookRules(context: GitbookContext, isPublished: boolean): LinkRules {
  const { index, space } = context;
  const { root } = space.config;
  const indexPageOf = (folder: RepoPath) => {
    if (folder === root && index.entry(space.config.readme) !== undefined) return space.config.readme;
    return readmeOf(index, folder);
  };
  return {
    resolve: (file, reference) => resolve(context, isPublished, file, reference),
    isPage: (path) => /\.md$/i.test(path) && !isDotFile(path),
    indexPageOf,
    anchorsOfFolder: () => true,
    explainMissing: (resolution, file, { target }) =>
      explainMovedPage(target) ?? groupFolder(space, resolution) ?? assetByName(context, file, target),
    ...(isPublished
      ? { checkAccess: (found, _file, reference) => checkGitbookAccess(context, found, reference) }
      : {}),
    checkAnchor(query) {
      const isOfSpaces =
        isInside(query.page, root) ||
        context.siblings().some((candidate) => isInside(query.page, candidate.config.root));
      if (!isOfSpaces) return context.github.checkAnchor(query);
      // Readers get to a page that is not listed on the repository's host.
      const isUnlisted = isPublished && space.listed.size > 0 && !space.listed.has(query.page);
      const onHost = isUnlisted ? context.github.checkAnchor(query) : null;
      return onHost?.status === 'ok'
        ? onHost
        : checkGitbookAnchor(query, context.factsOfPage, context.isCertain);
    },
    alternativePaths: context.github.alternativePaths,
  };
}

function resolve(
  context: GitbookContext,
  isPublished: boolean,
  file: RepoPath,
  reference: Reference,
): LinkResolution {
  const { index, space, repository } = context;
  const { target } = reference;
  if (reference.kind === 'block' && reference.carrier?.startsWith('openapi-') === true) {
    return linkVerdict(
      'in-app',
      'The organization keeps the specification; the repository does not hold it.',
    );
  }
  if (file === space.config.summary && target.trim() === '') return linkVerdict('ok', null); // A chapter without a page.
  const address = readAppAddress(target);
  if (address !== null) return resolveAppAddress(file, address, context.inferred(), index);
  const split = splitTarget(file, space.config.root, target, true);
  if (split === null) {
    const parsed = parseTarget(file, reference, repository);
    return parsed.writtenPrefix === ''
      ? resolveParsed(file, parsed)
      : context.github.resolve(file, reference);
  }
  if (
    MARKER.test(target) &&
    (split === 'outside' || !split.candidates.some((candidate) => index.has(candidate)))
  ) {
    return brokenMarker(reference);
  }
  if (split === 'outside') {
    const asset = assetByName(context, file, target);
    return asset ?? brokenVerdict('outside-repository', 'The path leaves the repository.');
  }
  return resolveSplit(context, isPublished, file, reference, split);
}

function brokenMarker({ carrier }: Reference): LinkVerdict {
  if (carrier?.startsWith('openapi') === true) {
    return linkVerdict(
      'unchecked',
      'GitBook lost this link; it writes the block’s text anew from the specification.',
    );
  }
  const message =
    'GitBook lost the destination of this link and wrote a marker in its place. Choose it again.';
  return brokenVerdict('broken-marker', message);
}

function resolveSplit(
  context: GitbookContext,
  isPublished: boolean,
  file: RepoPath,
  reference: Reference,
  split: SplitTarget,
): PathResolution {
  const { index } = context;
  const { root } = context.space.config;
  const parsed = {
    target: { kind: 'path', path: split.candidates[0], anchor: split.anchor },
    writtenPrefix: '',
    writtenPath: split.writtenPath,
    writtenTail: split.writtenTail,
    wantsFolder: split.wantsFolder,
    fragment: split.anchor,
  } as const;
  const candidates = [...split.candidates, ...publishedCandidates(context, isPublished, split)] as const;
  const existing = candidates.find((candidate) => index.has(candidate));
  const twin = existing === undefined ? sameLetters(index, candidates[0]) : undefined;
  const isWhole = existing !== undefined && split.whole.has(existing);
  const resolution = resolvePaths(
    file,
    parsed,
    twin === undefined ? (candidates as PathResolution['candidates']) : [twin],
    isWhole ? null : split.anchor,
  );
  return {
    ...resolution,
    expects: expectedAt(reference, split),
    wantsFolder: isWhole ? false : split.wantsFolder,
    // The candidates already contain the other readings, except those of backslashes.
    unencoded: split.isRooted || !split.writtenPath.includes('\\') ? [] : resolution.unencoded,
    ...(twin === undefined ? {} : { warning: UNICODE_FORM }),
    write(path, options) {
      if (!split.isRooted) return resolution.write(path, options);
      return isInside(path, root) ? resolution.write(pathInside(path, root), options) : null;
    },
  };
}

const UNICODE_FORM = {
  rule: 'unicode-form',
  message:
    'The file’s name has the same letters in another Unicode form, which some systems take for another name.',
} as const;

/** A file whose name differs in its Unicode form alone. */
function sameLetters(index: TreeIndex, path: RepoPath): RepoPath | undefined {
  const composed = path.normalize('NFC');
  return index.alike(path).find((candidate) => candidate.normalize('NFC') === composed);
}

/** A rooted path without an extension may be an address of the published space, old ones included. */
function publishedCandidates(
  { space }: GitbookContext,
  isPublished: boolean,
  split: SplitTarget,
): readonly RepoPath[] {
  if (!split.isRooted) return [];
  const { root, redirects } = space.config;
  const inside = trimSlashes(pathInside(split.candidates[0], root));
  const candidates = [space.paths.get(inside), redirects.get(inside)].filter(
    (candidate) => typeof candidate === 'string',
  );
  return isPublished || root === '' ? candidates : [...candidates, inside];
}

/** Blocks whose argument may be any address, like the destination of a link. */
const LINKING = new Set(['content-ref', 'page-ref', 'embed']);

function expectedAt(
  { kind, carrier }: Reference,
  { writtenPath, wantsFolder }: SplitTarget,
): 'page' | 'file' | null {
  if (isPictureKind(kind) || carrier === 'cover') return 'file';
  if (kind === 'block' && !LINKING.has(carrier ?? '')) return 'file';
  const name = writtenPath.slice(writtenPath.lastIndexOf('/') + 1);
  return wantsFolder || !name.includes('.') || /\.(?:md|html?)$/i.test(name) ? 'page' : null;
}

/** Groups of the table of contents are folders without a page, and have an address of their own. */
function groupFolder({ paths, config }: PublishedSpace, resolution: PathResolution): LinkVerdict | null {
  const isGroup = resolution.candidates.some(
    (path) => isInside(path, config.root) && paths.get(trimSlashes(pathInside(path, config.root))) === null,
  );
  return isGroup ? linkVerdict('ok', null) : null;
}

/** Names of more characters are not looked up. */
const MAX_ASSET = 1_000;

/**
 * The verdict on a path to the folder of uploads with a wrong number of levels before it: GitBook's export leaves it in pages
 * that moved, and GitBook shows the file, which it knows by its name.
 */
function assetByName({ index, space }: GitbookContext, file: RepoPath, target: string): LinkVerdict | null {
  const { root } = space.config;
  const [, written] = /^(?:[^?#]*\/)?\.gitbook\/assets\/([^/]+)$/.exec(target.trim()) ?? [];
  if (written === undefined || written.length > MAX_ASSET || !isInside(file, root)) return null;
  const folder = joinFolder(root, '.gitbook/assets');
  const [path = ''] = written.split(/[?#]/, 1);
  const names = [decodePercent(path), path, written].filter((name) => name !== '');
  const asset = names.map((name) => `${folder}/${name}`).find((candidate) => index.entry(candidate));
  if (asset === undefined) return null;
  const up = '../'.repeat(pathInside(file, root).split('/').length - 1);
  return linkVerdict(
    'unchecked',
    `The path has other levels than that of ${asset}, which GitBook shows all the same where it knows the upload.`,
    { suggestion: `${up}.gitbook/assets/${written}` },
  );
}

function readmeOf(index: TreeIndex, folder: RepoPath): RepoPath | null {
  for (const name of ['README.md', 'readme.md', 'Readme.md']) {
    const path = joinFolder(folder, name);
    if (index.entry(path) !== undefined) return path;
  }
  return null;
}
