import {
  brokenVerdict,
  generatedVerdict,
  type LinkResolution,
  type LinkVerdict,
  linkVerdict,
} from '../../format-port/index.ts';
import { resolvePaths } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { type TreeIndex, trimSlashes } from '../../tree/index.ts';
import { joinFolder } from './gitbook-config.ts';
import { type PublishedSpace, publishedPathOf } from './gitbook-pages.ts';

/** An address of GitBook's own app, which only people who sign in can open. */
export interface AppAddress {
  /** Null for other pages of the app. */
  readonly spaceId: string | null;
  /** Path below the space, without leading and trailing slashes. */
  readonly path: string;
  readonly anchor: string | null;
  /** The part of the address before the path, as written. */
  readonly prefix: string;
}

export function readAppAddress(target: string): AppAddress | null {
  if (!target.includes('app.gitbook.com')) return null;
  const match =
    /^https?:\/\/app\.gitbook\.com(\/(?:o\/[^/?#]+\/)?s\/([^/?#]+))?([^?#]*)(?:\?[^#]*)?(?:#([\s\S]*))?$/i.exec(
      target.trim(),
    );
  if (match === null) return null;
  const [, space, spaceId, path = '', anchor] = match;
  return {
    spaceId: spaceId ?? null,
    path: trimSlashes(decodePercent(path)),
    anchor: anchor === undefined ? null : decodePercent(anchor),
    prefix: `https://app.gitbook.com${space ?? ''}`,
  };
}

/**
 * Infers which of the repository's spaces an id of the app stands for, since no file states it: the space that contains
 * most of the paths which links use with the id. An id with fewer than two such paths, or with two equally likely spaces,
 * is left out.
 */
export function inferSpaces(
  targets: Iterable<string>,
  spaces: readonly PublishedSpace[],
  index: TreeIndex,
): ReadonlyMap<string, PublishedSpace> {
  const pathsOf = new Map<string, Set<string>>();
  for (const target of targets) {
    const address = readAppAddress(target);
    if (address === null || address.spaceId === null || address.path === '' || address.path.startsWith('~'))
      continue;
    const paths = pathsOf.get(address.spaceId);
    if (paths === undefined) pathsOf.set(address.spaceId, new Set([address.path]));
    else paths.add(address.path);
  }
  const inferred = new Map<string, PublishedSpace>();
  for (const [id, paths] of pathsOf) {
    const votes = spaces
      .map((space) => ({
        space,
        hits: [...paths].filter((path) => leadsSomewhere(space, path, index)).length,
      }))
      .sort((a, b) => b.hits - a.hits);
    const [best, second] = votes;
    if (best === undefined || best.hits < 2 || best.hits * 2 <= paths.size) continue;
    if (second?.hits !== best.hits) inferred.set(id, best.space);
  }
  return inferred;
}

function leadsSomewhere(space: PublishedSpace, path: string, index: TreeIndex): boolean {
  return (
    space.paths.has(path) ||
    space.config.redirects.has(path) ||
    filesAt(space, path).some((candidate) => index.entry(candidate))
  );
}

/** The files that a page of the space published at `path` may come from. */
export function filesAt({ config }: PublishedSpace, path: string): readonly [RepoPath, RepoPath] {
  const full = joinFolder(config.root, path);
  return [`${full}.md`, `${full}/README.md`];
}

/**
 * GitBook redirects the addresses that a page had before it was moved or renamed (its documentation, Site redirects), which
 * no file of the repository shows.
 */
export function explainMovedPage(target: string): LinkVerdict | null {
  if (readAppAddress(target) === null) return null;
  return generatedVerdict(
    'The space has no page at this path; GitBook redirects the addresses of pages that were moved, so it may lead to one.',
  );
}

/** Resolves an address of the app: against the repository if its space is known, otherwise as unchecked. */
export function resolveAppAddress(
  file: RepoPath,
  address: AppAddress,
  inferred: ReadonlyMap<string, PublishedSpace>,
  index: TreeIndex,
): LinkResolution {
  const { spaceId, path } = address;
  const inApp = 'The link leads into the GitBook app and was not followed.';
  if (spaceId === null) return linkVerdict('in-app', inApp);
  if (/^XSPACE_/.test(spaceId)) {
    const message = 'The link names a placeholder in place of a space, which was never filled in.';
    return linkVerdict('in-app', message, { warning: { rule: 'placeholder', message } });
  }
  if (path.startsWith('~/changes/')) {
    const message = 'The link leads to a change request in the editor; readers cannot open it.';
    return linkVerdict('in-app', message, { warning: { rule: 'editor-link', message } });
  }
  const space = inferred.get(spaceId);
  if (space === undefined || path.startsWith('~')) return linkVerdict('in-app', inApp);
  const published =
    path === '' ? space.config.readme : (space.paths.get(path) ?? space.config.redirects.get(path));
  if (published === undefined && space.paths.has(path)) return linkVerdict('ok', null);
  const files = filesAt(space, path);
  const unlisted =
    published === undefined ? files.find((candidate) => index.entry(candidate) !== undefined) : undefined;
  const where = space.config.root === '' ? 'the root' : space.config.root;
  if (unlisted !== undefined) {
    const message = `${unlisted} exists, and ${space.config.summary} does not list it, so the space in ${where} does not publish it.`;
    return brokenVerdict('unlisted-page', message);
  }
  const parsed = {
    target: { kind: 'path', path: files[0], anchor: address.anchor },
    writtenPrefix: address.prefix,
    writtenPath: `/${path}`,
    writtenTail: address.anchor === null ? '' : `#${address.anchor}`,
    wantsFolder: false,
    fragment: address.anchor,
  } as const;
  return {
    ...resolvePaths(file, parsed, published === undefined ? files : [published]),
    expects: 'page',
    unencoded: [],
    write(to, { tail = parsed.writtenTail } = {}) {
      const published = publishedPathOf(space, to);
      return published === null ? null : `${address.prefix}/${published}${tail}`;
    },
  };
}
