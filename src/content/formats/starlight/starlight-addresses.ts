import { type LinkVerdict, linkVerdict, type PathResolution } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, relativePath } from '../../tree/index.ts';
import { isAstroPage } from './astro-routes.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';

/** A link as its author wrote it. `path` is percent-decoded. */
export interface StarlightLink {
  readonly file: RepoPath;
  readonly path: string;
  readonly parsed: ParsedTarget;
  /** Query and fragment. */
  readonly tail: string;
}

/** How suggestions are written: as the address of a page, as a path relative to the link's file, or not at all. */
export type StarlightLinkStyle = 'page' | 'file' | 'none';

/** Resolves a link to the first candidate that exists. */
export function resolveStarlightFiles(
  site: StarlightSite,
  link: StarlightLink,
  candidates: PathResolution['candidates'],
  style: StarlightLinkStyle,
): PathResolution {
  const paths = resolvePaths(link.file, link.parsed, candidates);
  return {
    ...paths,
    unencoded: style === 'file' ? paths.unencoded : [],
    wantsFolder: false,
    expects: /\.(?!html?$|mdx?$)\w+$/.test(candidates[0]) ? 'file' : 'page',
    write(path) {
      if (style === 'none') return null;
      // The author did not mean a page of another language.
      if (style === 'page')
        return isOfLanguage(site, path, candidates[0]) ? writeAddress(site, link, path) : null;
      const relative = relativePath(link.file, path);
      return (
        (link.path.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative) + link.tail
      );
    },
  };
}

/** The address of a page in the style of a link's author; null when it is not published. */
export function writeAddress(site: StarlightSite, link: StarlightLink, path: RepoPath): string | null {
  const { config } = site;
  const address = publishedAddress(site, path);
  if (address === null) return null;
  const base = config.basePath;
  if (link.path.startsWith('/') || /\.mdx?$/.test(link.path)) {
    if (base === null) return null;
    return `/${base === '' ? '' : `${base}/`}${address}${link.tail}`;
  }
  const own = pageAddress(site, link.file);
  return own === null ? null : `${relativePath(own, address) || './'}${link.tail}`;
}

/**
 * The address of a file below the site's base, with a slash at the end if the site's pages have one; null when it is
 * not published or not known.
 */
export function publishedAddress({ routes, config }: StarlightSite, path: RepoPath): string | null {
  const page = routes.addressOf(path);
  if (page === null)
    return isInside(path, config.publicFolder) ? pathInside(path, config.publicFolder) : null;
  if (config.trailingSlash === null || config.asFiles === null) return null;
  return page + (config.asFiles || config.trailingSlash === 'never' || page === '' ? '' : '/');
}

/** The address against which a browser resolves relative links; null for a file that is not a page. */
export function pageAddress({ routes, config }: StarlightSite, file: RepoPath): string | null {
  const folder = `${config.sourceFolder}/pages`;
  const address =
    routes.addressOf(file) ??
    (isAstroPage(file, config)
      ? pathInside(file, folder)
          .replace(/\.\w+$/, '')
          .replace(/(?:^|\/)index$/, '')
      : null);
  if (address === null) return null;
  if (config.trailingSlash === 'never' || config.asFiles) return address;
  return address === '' ? '' : `${address}/`;
}

/** The verdict on an address from the host's root when the site's path on its host is not known. */
export function unknownBase({ file }: Pick<AstroConfig, 'file'>): LinkVerdict {
  return linkVerdict('unchecked', `Where the site stands on its host is not known from ${file}.`);
}

/** A rooted path relative to the site's base, without leading slashes; null when it is outside the site. */
export function belowBase({ config }: StarlightSite, path: string): string | null {
  const base = config.basePath ?? '';
  const inside = path.replace(/^\/+/, '');
  if (base === '') return inside;
  if (trimmed(inside) === base) return '';
  return inside.startsWith(`${base}/`) ? inside.slice(base.length + 1) : null;
}

function isOfLanguage(
  { config: { contentFolder, locales } }: StarlightSite,
  path: RepoPath,
  otherPath: RepoPath,
) {
  const languageOf = (file: RepoPath) => {
    const first = isInside(file, contentFolder)
      ? (pathInside(file, contentFolder).split('/', 1)[0] ?? '')
      : '';
    return locales?.includes(first) === true ? first : '';
  };
  return languageOf(path) === languageOf(otherPath);
}

export function trimmed(address: string): string {
  return address.split('/').filter(Boolean).join('/');
}
