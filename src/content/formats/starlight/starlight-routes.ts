import {
  brokenVerdict,
  type LinkResolution,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, resolvePath } from '../../tree/index.ts';
import { isDocsPage } from './astro-routes.ts';
import {
  belowBase,
  resolveStarlightFiles,
  type StarlightLink,
  trimmed,
  writeAddress,
} from './starlight-addresses.ts';
import { type AstroConfig, MAX_PATTERN_REDIRECTS } from './starlight-config.ts';
import type { StarlightSite } from './starlight-context.ts';

/** Writes the link to a page in the style of another link; null when it cannot be written. */
export type Write = (site: StarlightSite, link: StarlightLink, path: RepoPath) => string | null;

const OK = linkVerdict('ok', null);

/** Resolves an address below the site's base: to a page, through a redirect, or to a file that the builder generates. */
export function resolveRoute(
  site: StarlightSite,
  link: StarlightLink,
  address: string,
  write: Write = writeAddress,
): LinkResolution {
  const { config, routes, isRedirected } = site;
  const route = trimmed(address);
  const found = fileAt(site, route);
  if (found !== null) return resolveStarlightFiles(site, link, [found], 'page');
  const target = redirectOf(site, route);
  if (target !== undefined) {
    const below = target?.startsWith('/') === true ? (belowBase(site, target) ?? target) : null;
    const file = below === null ? null : routes.fileAt(trimmed(below));
    return file === null ? OK : resolveStarlightFiles(site, link, [file], 'page');
  }
  if (isRedirected(`/${route}`) || isRedirected(fullAddress(site, route)) || isMadeByBuilder(route))
    return OK;
  const guess = {
    ...resolveStarlightFiles(site, link, guessSources(site, route), 'page'),
    address: fullAddress(site, route),
  };
  if (routes.mayBeDynamic(route)) {
    const message = `/${route} may be made by a page whose name has parameters.`;
    return { ...guess, unless: linkVerdict('unchecked', message) };
  }
  if (!config.isSure) {
    const message = `${config.file} decides by running where pages are published.`;
    return { ...guess, unless: linkVerdict('unchecked', message) };
  }
  return resolveRewritten(site, link) ?? resolveSource(site, link, route, write) ?? guess;
}

/**
 * Resolves a relative path of a Markdown file where a plugin may make an address of it: a page there leaves it unchecked.
 */
function resolveRewritten(site: StarlightSite, link: StarlightLink): LinkResolution | null {
  const { config, routes } = site;
  if (config.rewritesLinks === null || !/^[^/].*\.mdx?$/.test(link.path)) return null;
  const resolution = resolvePath(link.file, link.path);
  if (!resolution.inside) return null;
  const { path } = resolution;
  const stem = path.replace(/\.mdx?$/, '');
  const files = [path, `${stem}.md`, `${stem}.mdx`] as const;
  if (files.some((file) => routes.addressOf(file) !== null)) {
    const message = `Astro leaves links to source files as they are, unless ${config.rewritesLinks} makes addresses of them.`;
    return linkVerdict('unchecked', message);
  }
  return isInside(path, config.contentFolder) ? resolveStarlightFiles(site, link, files, 'page') : null;
}

/** Checks a path outside the site: if the site has a page at it, the base is missing. */
export function resolveOutsideSite(site: StarlightSite, link: StarlightLink): LinkResolution {
  const route = trimmed(link.path);
  const found = route === '' ? null : fileAt(site, route);
  if (found === null) {
    return linkVerdict('unchecked', 'The link leaves the site, to what its host holds beside it.');
  }
  const message = `The site stands at /${site.config.basePath}/ on its host, and Astro does not put that in front of links.`;
  const rule = site.routes.addressOf(found) === null ? 'missing-file' : 'missing-page';
  return brokenVerdict(rule, message, writeAddress(site, link, found));
}

/** The address in the browser, with the site's base. */
function fullAddress({ config }: StarlightSite, route: string): string {
  return ['', config.basePath ?? '', route].filter((part, at) => at === 0 || part !== '').join('/') || '/';
}

function fileAt({ config, routes }: StarlightSite, route: string): RepoPath | null {
  return routes.fileAt(route) ?? (config.asFiles ? routes.fileAt(route.replace(/\.html$/, '')) : null);
}

/** Reports a link to a source file, which is published elsewhere or not at all; null when there is no such file. */
export function resolveSource(
  site: StarlightSite,
  link: StarlightLink,
  route: string,
  write: Write = writeAddress,
): LinkResolution | null {
  const { routes, space, config } = site;
  const resolution = resolvePath(link.file, link.path);
  const isRooted = link.path.startsWith('/');
  const relative = isRooted || !resolution.inside ? [] : [resolution.path];
  const rooted = isRooted ? [`${config.contentFolder}/${route}`] : [];
  for (const path of [...relative, ...rooted, ...guessSources(site, route)]) {
    if (space.index.entry(path) === undefined) continue;
    const address = routes.addressOf(path);
    if (address !== null) {
      const message = `Astro leaves links to source files as they are, and ${path} is published at /${address}/.`;
      return brokenVerdict('missing-page', message, write(site, link, path));
    }
    if (isInside(path, config.contentFolder) && /\.(?:md|mdx|mdoc)$/.test(path)) {
      const why = isDocsPage(path, config) ? 'is a draft' : 'begins with “_”';
      return brokenVerdict('unlisted-page', `${path} ${why}, so it is not published.`);
    }
    return brokenVerdict(
      'outside-space',
      `${path} is in the repository, and Astro does not publish it at this address.`,
    );
  }
  return null;
}

/** The source files that would have an address. */
export function guessSources({ config }: StarlightSite, route: string): PathResolution['candidates'] {
  const { contentFolder, publicFolder } = config;
  if (/\.(?!html?$)\w+$/.test(route)) return [`${publicFolder}/${route}`];
  const stem = `${contentFolder}/${route.replace(/\.html?$/, '')}`;
  return [`${stem}.mdx`, `${stem}.md`, `${stem}/index.mdx`, `${stem}/index.md`];
}

/** The destination of a configured redirect; null when it is not known, undefined when there is no redirect. */
function redirectOf({ config: { redirects } }: StarlightSite, route: string): string | null | undefined {
  const { byAddress, patterns } = tableOf(redirects);
  const exact = byAddress.get(route);
  const pattern = patterns.find(({ own, at }) => at < (exact?.at ?? Infinity) && matchesPattern(own, route));
  return (pattern ?? exact)?.to;
}

interface Redirect {
  readonly own: string;
  readonly to: string | null;
  /** Its place in the configuration: of several that match an address, the first counts. */
  readonly at: number;
}

interface RedirectTable {
  readonly byAddress: ReadonlyMap<string, Redirect>;
  readonly patterns: readonly Redirect[];
}

const tables = new WeakMap<AstroConfig['redirects'], RedirectTable>();

function tableOf(redirects: AstroConfig['redirects']): RedirectTable {
  const known = tables.get(redirects);
  if (known !== undefined) return known;
  const byAddress = new Map<string, Redirect>();
  const patterns: Redirect[] = [];
  for (const [at, [from, to]] of [...redirects].entries()) {
    const redirect = { own: trimmed(from), to, at };
    if (!byAddress.has(redirect.own)) byAddress.set(redirect.own, redirect);
    if (redirect.own.includes('[') && patterns.length < MAX_PATTERN_REDIRECTS) patterns.push(redirect);
  }
  const table = { byAddress, patterns };
  tables.set(redirects, table);
  return table;
}

function matchesPattern(pattern: string, route: string): boolean {
  const segments = pattern.split('/');
  const parts = route.split('/');
  for (const [at, segment] of segments.entries()) {
    if (segment.startsWith('[...')) return true;
    if (parts[at] === undefined || (!segment.includes('[') && segment !== parts[at])) return false;
  }
  return parts.length === segments.length;
}

function isMadeByBuilder(route: string): boolean {
  return /^(?:404(?:\.html)?|sitemap(?:-index|-\d+)?\.xml|pagefind\/.*|llms(?:-full|-small)?\.txt)$/.test(
    route,
  );
}
