import type { FilesRead } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import { localisedPath } from './locales.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';

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
export function siteAddressOf(path: string, directoryUrls: boolean): string {
  if (!isMkdocsPage(path)) return path;
  const slash = path.lastIndexOf('/') + 1;
  const stem = path.slice(slash).replace(/\.\w+$/, '');
  const folder = path.slice(0, slash);
  if (stem === 'index' || stem === 'README') return `${folder}index.html`;
  return directoryUrls ? `${folder}${stem}/index.html` : `${folder}${stem}.html`;
}

/** Under which the symbolic links among the pages stand; no address is so. */
const SYMLINKS = '\0symlinks';

export function publishSite(files: Pick<FilesRead, 'table'>, config: MkdocsConfig): PublishedSite {
  const { docsFolder, themeFolder, locales } = config;
  const table = files.table<'docs' | 'theme' | 'symlink'>(`mkdocs ${config.file}`, ({ path, mode }) => {
    const rows: [string, 'docs' | 'theme' | 'symlink'][] = [];
    const address = addressInDocs(path, config);
    if (address !== null) rows.push([address, 'docs']);
    if (address !== null && mode === 'symlink') rows.push([SYMLINKS, 'symlink']);
    if (isOfTheme(path, config)) rows.push([pathInside(path, themeFolder ?? ''), 'theme']);
    return rows;
  });
  /** Beside an index page, a README is not published; nor is a page beside that which names its language. */
  const docsAt = (address: string): RepoPath | null => {
    let found: RepoPath | null = null;
    for (const { file, value } of table.rows(address)) {
      if (value !== 'docs') continue;
      if (found === null || !(/(?:^|\/)README\.\w+$/.test(file) || isLocalised(found, config))) found = file;
    }
    return found;
  };
  const others = [...(locales?.names ?? [])].filter((name) => name !== locales?.standard);
  /** Pages without a translation stand in the other languages as they are. */
  const fallbackAt = (address: string): RepoPath | null => {
    if (locales?.fallsBack !== true || others.length > MAX_LOCALES) return null;
    const slash = address.indexOf('/');
    if (slash === -1 || !others.includes(address.slice(0, slash))) return null;
    const plain = address.slice(slash + 1);
    return others.some((name) => plain.startsWith(`${name}/`)) ? null : docsAt(plain);
  };
  const themeAt = (address: string): RepoPath | null =>
    table.rows(address).find(({ file, value }) => value === 'theme' && addressOfPage(file) === null)?.file ??
    null;
  const addressOfPage = (file: RepoPath): string | null => {
    const address = addressInDocs(file, config);
    return address !== null && docsAt(address) === file ? address : null;
  };
  const named = (address: string) => docsAt(address) ?? fallbackAt(address) ?? themeAt(address);
  const redirected = redirectedAddresses(config);
  const namesOf = (address: string) =>
    address === '' || address.endsWith('/')
      ? [`${address}index.html`]
      : [address, `${address}/index.html`, `${address}.html`];
  return {
    addressOf(file) {
      const address = addressOfPage(file);
      if (address !== null || !isOfTheme(file, config)) return address;
      const inside = pathInside(file, themeFolder ?? '');
      return named(inside) === file ? inside : null;
    },
    fileAt(address) {
      for (const name of namesOf(address)) {
        const file = named(name);
        if (file !== null) return file;
      }
      return null;
    },
    redirectOf(address) {
      for (const name of namesOf(address)) {
        const target = redirected.get(name);
        if (target !== undefined && named(name) === null) return target;
      }
      return null;
    },
    isBehindSymlink: (path) =>
      docsFolder !== null && table.rows(SYMLINKS).some(({ file }) => path.startsWith(`${file}/`)),
  };
}

/** Where a file of the folder of pages would be published, were it alone there; null for other and excluded files. */
function addressInDocs(
  path: RepoPath,
  { docsFolder, directoryUrls, isExcluded, locales }: MkdocsConfig,
): string | null {
  if (docsFolder === null || !isInside(path, docsFolder)) return null;
  const inside = pathInside(path, docsFolder);
  if (isExcluded(inside)) return null;
  const { plain, locale } = localisedPath(locales, inside);
  const below = locale === null || locale === locales?.standard ? '' : `${locale}/`;
  return below + siteAddressOf(plain, directoryUrls);
}

function isOfTheme(path: RepoPath, { themeFolder }: MkdocsConfig): boolean {
  return themeFolder !== null && isInside(path, themeFolder) && !/\.(?:html|ya?ml|py)$/.test(path);
}

/** Languages whose pages are filled in; a site with more leaves those of others unknown. */
const MAX_LOCALES = 100;

function isLocalised(file: RepoPath, { docsFolder, locales }: MkdocsConfig): boolean {
  return localisedPath(locales, pathInside(file, docsFolder ?? '')).locale !== null;
}

/** Addresses that lead on where nothing else stands, and what the configuration says where to. */
function redirectedAddresses({ redirects, directoryUrls }: MkdocsConfig): ReadonlyMap<string, string> {
  const redirected = new Map<string, string>();
  for (const [from, to] of redirects) {
    if (isMkdocsPage(from)) redirected.set(siteAddressOf(from, directoryUrls), to);
  }
  return redirected;
}
