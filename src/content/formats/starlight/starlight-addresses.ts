import { type LinkVerdict, linkVerdict, type PathResolution } from '../../format-port/index.ts';
import { type ParsedTarget, resolvePaths } from '../../links/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, relativePath } from '../../tree/index.ts';
import { isAstroPage } from './astro-routes.ts';
import type { AstroConfig } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';

/** A link in the words of its author. `path` is percent-decoded. */
export interface StarlightLink {
  readonly file: RepoPath;
  readonly path: string;
  readonly parsed: ParsedTarget;
  /** Query and fragment. */
  readonly tail: string;
}

/** How suggestions are written: the address of a page, a file beside the link's own, or not at all. */
export type StarlightLinkStyle = 'page' | 'file' | 'none';

/** A resolution that leads to the first of some files that is there. */
export function resolveToFiles(
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
      // A page of another language is not what was meant.
      if (style === 'page')
        return isOfLanguage(site, path, candidates[0]) ? writeAddress(site, link, path) : null;
      const relative = relativePath(link.file, path);
      return (
        (link.path.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative) + link.tail
      );
    },
  };
}

/** The address of a page as the author of a link would write it; null for what is not published. */
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

/** Where readers find a file, below the site's base, with the slash at the end that the site's pages have. */
export function publishedAddress({ routes, config }: StarlightSite, path: RepoPath): string | null {
  const page = routes.addressOf(path);
  if (page === null)
    return isInside(path, config.publicFolder) ? pathInside(path, config.publicFolder) : null;
  if (config.trailingSlash === null || config.asFiles === null) return null;
  return page + (config.asFiles || config.trailingSlash === 'never' || page === '' ? '' : '/');
}

/** The address that a browser takes relative links from; null for a file that is no page. */
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

/** The verdict on an address from the host's root where only running the configuration tells where the site stands. */
export function unknownBase({ file }: Pick<AstroConfig, 'file'>): LinkVerdict {
  return linkVerdict('unchecked', `Where the site stands on its host is not known from ${file}.`);
}

/** A rooted path below the site's base, without slashes in front; null for what is beside the site. */
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
  other: RepoPath,
) {
  const languageOf = (file: RepoPath) => {
    const first = isInside(file, contentFolder)
      ? (pathInside(file, contentFolder).split('/', 1)[0] ?? '')
      : '';
    return locales?.includes(first) === true ? first : '';
  };
  return languageOf(path) === languageOf(other);
}

export function trimmed(address: string): string {
  return address.split('/').filter(Boolean).join('/');
}
