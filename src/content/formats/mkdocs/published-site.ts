import type { RepoPath, TreeEntry } from '../../model.ts';
import { isInside, pathInside } from '../../tree/page-files.ts';
import { localisedPath } from './locales.ts';
import type { MkdocsConfig } from './read-config.ts';

/** The files of the site, by where they stand in the repository and by where readers find them. */
export interface PublishedSite {
  /** Where a file is published, below the site's root (`guide/index.html`); null when it is not. */
  addressOf(file: RepoPath): string | null;
  /** The file that an address (`guide`, `guide/`, `guide/index.html`) leads to; null when there is none. */
  fileAt(address: string): RepoPath | null;
  /** Where an address leads on, as the configuration writes it; null when no redirect stands there. */
  redirectOf(address: string): string | null;
  /** Whether a path of the repository leads through a symbolic link among the pages, so that only the link knows. */
  isBehindSymlink(path: RepoPath): boolean;
}

/** Whether MkDocs makes a page of a file. */
export function isMkdocsPage(path: RepoPath): boolean {
  return /\.(?:markdown|mdown|mkdn|mkd|md)$/.test(path);
}

/** Where MkDocs publishes a file of its folder of pages. `path` is inside that folder. */
export function publishedAddress(path: string, directoryUrls: boolean): string {
  if (!isMkdocsPage(path)) return path;
  const slash = path.lastIndexOf('/') + 1;
  const stem = path.slice(slash).replace(/\.\w+$/, '');
  const folder = path.slice(0, slash);
  if (stem === 'index' || stem === 'README') return `${folder}index.html`;
  return directoryUrls ? `${folder}${stem}/index.html` : `${folder}${stem}.html`;
}

export function publishSite(entries: readonly TreeEntry[], config: MkdocsConfig): PublishedSite {
  const { docsFolder, themeFolder, directoryUrls, isExcluded, locales } = config;
  const files = new Map<string, RepoPath>();
  const addresses = new Map<RepoPath, string>();
  const symlinks: RepoPath[] = [];
  const add = (file: RepoPath, address: string) => {
    files.set(address, file);
    addresses.set(file, address);
  };
  for (const { path, mode } of entries) {
    if (docsFolder === null || !isInside(path, docsFolder)) continue;
    const inside = pathInside(path, docsFolder);
    if (isExcluded(inside)) continue;
    if (mode === 'symlink') symlinks.push(path);
    const { plain, locale } = localisedPath(locales, inside);
    const below = locale === null || locale === locales?.standard ? '' : `${locale}/`;
    const address = below + publishedAddress(plain, directoryUrls);
    const rival = files.get(address);
    // Beside an index page, a README is not published; nor is a page beside that which names its language.
    if (rival !== undefined && (/(?:^|\/)README\.\w+$/.test(path) || isLocalised(rival, config))) continue;
    if (rival !== undefined) addresses.delete(rival);
    add(path, address);
  }
  if (locales?.fallsBack === true) {
    const others = [...locales.names].filter((name) => name !== locales.standard);
    const standard = [...files].filter(([address]) => !others.some((name) => address.startsWith(`${name}/`)));
    for (const [address, file] of others.length > MAX_LOCALES ? [] : standard) {
      for (const name of others) {
        const shown = `${name}/${address}`;
        if (!files.has(shown)) files.set(shown, file);
      }
    }
  }
  for (const { path } of entries) {
    if (themeFolder === null || !isInside(path, themeFolder) || /\.(?:html|ya?ml|py)$/.test(path)) continue;
    const inside = pathInside(path, themeFolder);
    if (!files.has(inside) && !addresses.has(path)) add(path, inside);
  }
  const redirected = redirectedAddresses(config, files);
  const namesOf = (address: string) =>
    address === '' || address.endsWith('/')
      ? [`${address}index.html`]
      : [address, `${address}/index.html`, `${address}.html`];
  return {
    addressOf: (file) => addresses.get(file) ?? null,
    fileAt(address) {
      for (const name of namesOf(address)) {
        const file = files.get(name);
        if (file !== undefined) return file;
      }
      return null;
    },
    redirectOf(address) {
      for (const name of namesOf(address)) {
        const target = redirected.get(name);
        if (target !== undefined) return target;
      }
      return null;
    },
    isBehindSymlink: (path) => symlinks.some((link) => path.startsWith(`${link}/`)),
  };
}

/** Languages whose pages are filled in; a site with more leaves those of others unknown. */
const MAX_LOCALES = 100;

function isLocalised(file: RepoPath, { docsFolder, locales }: MkdocsConfig): boolean {
  return localisedPath(locales, pathInside(file, docsFolder ?? '')).locale !== null;
}

/** Addresses that lead on, and what the configuration says where to. */
function redirectedAddresses(
  { redirects, directoryUrls }: MkdocsConfig,
  files: ReadonlyMap<string, RepoPath>,
): ReadonlyMap<string, string> {
  const redirected = new Map<string, string>();
  for (const [from, to] of redirects) {
    const address = publishedAddress(from, directoryUrls);
    if (isMkdocsPage(from) && !files.has(address)) redirected.set(address, to);
  }
  return redirected;
}
