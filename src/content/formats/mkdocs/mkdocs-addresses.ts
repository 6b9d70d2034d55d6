import type { PathResolution } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths, writeTarget } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, relativePath } from '../../tree/index.ts';
import type { SitePaths } from './site-paths.ts';

/** A link as its author wrote it. `path` is percent-decoded. */
export interface MkdocsLink {
  readonly file: RepoPath;
  readonly path: string;
  readonly parsed: ParsedTarget;
  /** Query and fragment. */
  readonly tail: string;
}

/** How a link names its page: by the source file, by a relative address, or by an address from the host's root. */
export type MkdocsLinkStyle = 'source' | 'address' | 'rooted';

/** Resolves a link to the first candidate that exists; suggestions are written in the link's own style. */
export function resolveMkdocsFiles(
  paths: SitePaths,
  link: MkdocsLink,
  candidates: PathResolution['candidates'],
  style: MkdocsLinkStyle,
): PathResolution {
  const { config, site, docs } = paths;
  const { file, parsed } = link;
  const resolution = resolvePaths(file, parsed, candidates);
  return {
    ...resolution,
    unencoded: style === 'source' ? resolution.unencoded : [],
    wantsFolder: false,
    expects: /\.(?!html?$|md$)\w+$/.test(link.path) ? 'file' : 'page',
    write: (path, { tail = link.tail } = {}) => {
      const address = site.addressOf(path);
      if (address === null) return null;
      // Files of the theme's folder are linked as if they were beside the pages.
      const source = isInside(path, docs) ? path : paths.inDocs(address);
      if (style === 'source' && !parsed.writtenPath.startsWith('/')) {
        return writeTarget(file, { ...parsed, wantsFolder: false }, source, tail);
      }
      if (style === 'source') return `/${pathInside(source, docs)}${tail}`;
      const shown = shownAddress(address, config.directoryUrls);
      if (style === 'address') return (relativePath(site.addressOf(file) ?? '', shown) || './') + tail;
      const base = config.basePath ?? '';
      return `/${base === '' ? '' : `${base}/`}${shown}${tail}`;
    },
  };
}

/** The address of a page as links write it, without `index.html` where folders have addresses. */
export function shownAddress(address: string, directoryUrls: boolean): string {
  return directoryUrls ? address.replace(/(^|\/)index\.html$/, '$1') : address;
}
