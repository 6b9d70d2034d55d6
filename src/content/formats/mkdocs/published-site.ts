import type { RepoPath, TreeEntry } from '../../model.ts';
import { isInside, pathInside } from '../../tree/page-files.ts';
import type { MkdocsConfig } from './read-config.ts';

/** The files of the site, by where they stand in the repository and by where readers find them. */
export interface PublishedSite {
  /** Where a file is published, below the site's root (`guide/index.html`); null when it is not. */
  addressOf(file: RepoPath): string | null;
  /** The file that an address (`guide`, `guide/`, `guide/index.html`) leads to; null when there is none. */
  fileAt(address: string): RepoPath | null;
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
  const { docsFolder, themeFolder, directoryUrls, isExcluded } = config;
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
    const address = publishedAddress(inside, directoryUrls);
    const rival = files.get(address);
    // Beside an index page, a README is not published.
    if (rival !== undefined && /(?:^|\/)README\.\w+$/.test(path)) continue;
    if (rival !== undefined) addresses.delete(rival);
    add(path, address);
  }
  for (const { path } of entries) {
    if (themeFolder === null || !isInside(path, themeFolder) || /\.(?:html|ya?ml|py)$/.test(path)) continue;
    const inside = pathInside(path, themeFolder);
    if (!files.has(inside) && !addresses.has(path)) add(path, inside);
  }
  for (const [from, to] of config.redirects) {
    const address = publishedAddress(from, directoryUrls);
    const target = docsFolder === null ? '' : docsFolder === '' ? to : `${docsFolder}/${to}`;
    if (!files.has(address) && addresses.has(target)) files.set(address, target);
  }
  return {
    addressOf: (file) => addresses.get(file) ?? null,
    fileAt(address) {
      const names =
        address === '' || address.endsWith('/')
          ? [`${address}index.html`]
          : [address, `${address}/index.html`, `${address}.html`];
      for (const name of names) {
        const file = files.get(name);
        if (file !== undefined) return file;
      }
      return null;
    },
    isBehindSymlink: (path) => symlinks.some((link) => path.startsWith(`${link}/`)),
  };
}
