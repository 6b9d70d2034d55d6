import {
  brokenVerdict,
  type LinkResolution,
  type LinkRules,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import { decodeFragment, parseTarget, resolveParsed, schemeOf } from '../../links/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { decodePercent } from '../../text/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import { explainMissingPage } from './mkdocs-access.ts';
import { shownAddress } from './mkdocs-addresses.ts';
import { isMkdocsPage } from './published-site.ts';
import { normalised, type SitePaths } from './site-paths.ts';

/**
 * The rules of `mkdocs.yml` itself: an entry of the navigation names a source file in the folder of pages, or else
 * an address from the site's root; a redirect leads to a source file.
 */
export function mkdocsConfigRules(paths: SitePaths, pageRules: LinkRules): LinkRules {
  return {
    ...pageRules,
    resolve: (file, reference) =>
      reference.carrier === 'redirect'
        ? resolveRedirect(paths, file, reference)
        : resolveNav(paths, file, reference),
    explainMissing: (resolution) => explainMissingPage(paths, resolution),
    checkAccess({ candidate, isFolder }) {
      if (paths.isPublished(candidate)) return null;
      if (isFolder) {
        return brokenVerdict(
          'missing-page',
          `${candidate} is a folder, and no page is published at this address.`,
        );
      }
      if (!isInside(candidate, paths.docs)) {
        return brokenVerdict(
          'outside-space',
          `${candidate} is not in ${paths.docs}, so MkDocs does not publish it.`,
        );
      }
      return brokenVerdict(
        'unlisted-page',
        `${candidate} is excluded from the site by ${paths.config.file}.`,
      );
    },
  };
}

function resolveNav(paths: SitePaths, file: RepoPath, reference: Reference): LinkResolution {
  const { config, site, index } = paths;
  const written = reference.target;
  if (/[*!$]|\{\{|\.\.\./.test(written)) {
    return linkVerdict('unchecked', 'A plugin puts its own entries in the place of this one.');
  }
  const outside = resolveOutside(file, reference);
  if (outside !== null) return outside;
  const [, path = '', tail = ''] = /^([^?#]*)([\s\S]*)$/.exec(written) ?? [];
  if (path.startsWith('/') && !config.navFromDocs) {
    const address = paths.belowBase(decodePercent(path));
    const found = address === null ? null : site.fileAt(normalised(address));
    if (found !== null) return resolveEntry(paths, reference, [found], 'address', tail);
    return linkVerdict('unchecked', 'An entry that begins with a slash leads to a place on the site’s host.');
  }
  const source = sourceOf(paths, path);
  const isNamed = tail === '' || !isMkdocsPage(path);
  if (isNamed && paths.isPublished(source)) return resolveEntry(paths, reference, [source], 'source', tail);
  const found = site.fileAt(normalised(decodePercent(path)));
  if (found !== null) return resolveEntry(paths, reference, [found], 'address', tail);
  if (!isNamed && paths.isPublished(source)) {
    const address = shownAddress(site.addressOf(source) ?? '', config.directoryUrls);
    const message = 'An entry of the navigation that names a source file may not name a heading too.';
    return brokenVerdict('missing-page', message, address + tail);
  }
  if (index.isFolder(source) && config.navFileName !== null) return linkVerdict('ok', null);
  return resolveEntry(paths, reference, [source, ...paths.guesses(normalised(path))], 'source', tail);
}

function resolveRedirect(paths: SitePaths, file: RepoPath, reference: Reference): LinkResolution {
  const outside = resolveOutside(file, reference);
  if (outside !== null) return outside;
  const [, path = '', tail = ''] = /^([^#]*)([\s\S]*)$/.exec(reference.target) ?? [];
  const source = sourceOf(paths, path);
  return resolveEntry(paths, reference, [source], 'source', tail);
}

/** Returns the source file of a path in the folder of pages, or its translation. */
function sourceOf(paths: SitePaths, path: string): RepoPath {
  return paths.sourceOf(paths.inDocs('x'), path.replace(/^\/+/, '')) ?? paths.docs;
}

function resolveOutside(file: RepoPath, reference: Reference): LinkResolution | null {
  const { target } = reference;
  if (schemeOf(target) === null && !target.startsWith('//')) return null;
  return resolveParsed(file, parseTarget(file, reference));
}

function resolveEntry(
  { config, site, docs }: SitePaths,
  { target }: Reference,
  candidates: PathResolution['candidates'],
  style: 'source' | 'address',
  tail: string,
): PathResolution {
  const anchor = tail.includes('#') ? decodeFragment(tail.slice(tail.indexOf('#') + 1)) : null;
  return {
    kind: 'path',
    candidates,
    anchor,
    wantsFolder: false,
    expects: 'page',
    unencoded: [],
    write(path, options) {
      const address = site.addressOf(path);
      if (address === null || !isInside(path, docs)) return null;
      const shown = style === 'source' ? pathInside(path, docs) : shownAddress(address, config.directoryUrls);
      return (target.startsWith('/') ? '/' : '') + shown + (options?.tail ?? tail);
    },
    writeAnchor: (name) => target.replace(/#[\s\S]*$/, () => `#${name}`),
  };
}
