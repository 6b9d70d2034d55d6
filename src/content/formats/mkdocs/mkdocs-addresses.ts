import type { PathResolution } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths, writeTarget } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { pathInside, relativePath } from '../../tree/index.ts';
import type { SitePaths } from './site-paths.ts';

/** A link in the words of its author. `path` is percent-decoded. */
export interface MkdocsLink {
  readonly file: RepoPath;
  readonly path: string;
  readonly parsed: ParsedTarget;
  /** Query and fragment. */
  readonly tail: string;
}

/** How a link names its page: by the source file, by an address from the page's, or by one from the host's root. */
export type MkdocsLinkStyle = 'source' | 'address' | 'rooted';

/** A link that leads to one of some files, whose suggestions are written in its own style. */
export function resolveToFiles(
  { config, site, docs }: SitePaths,
  link: MkdocsLink,
  candidates: PathResolution['candidates'],
  style: MkdocsLinkStyle,
): PathResolution {
  const { file, parsed } = link;
  const paths = resolvePaths(file, parsed, candidates);
  return {
    ...paths,
    unencoded: style === 'source' ? paths.unencoded : [],
    wantsFolder: false,
    expects: /\.(?!html?$|md$)\w+$/.test(link.path) ? 'file' : 'page',
    write: (path, { tail = link.tail } = {}) => {
      const address = site.addressOf(path);
      if (address === null) return null;
      if (style === 'source' && !parsed.writtenPath.startsWith('/')) {
        return writeTarget(file, { ...parsed, wantsFolder: false }, path, tail);
      }
      if (style === 'source') return `/${pathInside(path, docs)}${tail}`;
      const shown = shownAddress(address, config.directoryUrls);
      if (style === 'address') return (relativePath(site.addressOf(file) ?? '', shown) || './') + tail;
      const base = config.basePath ?? '';
      return `/${base === '' ? '' : `${base}/`}${shown}${tail}`;
    },
  };
}

/** An address as people write it. */
export function shownAddress(address: string, directoryUrls: boolean): string {
  return directoryUrls ? address.replace(/(^|\/)index\.html$/, '$1') : address;
}
