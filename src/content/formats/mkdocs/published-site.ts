import type { FilesRead } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside } from '../../tree/index.ts';
import { localisedPath } from './locales.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';

/** The files of the site, by their paths in the repository and by their addresses. */
export interface PublishedSite {
  /** The address of a file below the site's root (`guide/index.html`); null when it is not published. */
  addressOf(file: RepoPath): string | null;
  /** The file that an address (`guide`, `guide/`, `guide/index.html`) leads to; null when there is none. */
  fileAt(address: string): RepoPath | null;
  /** The file of the theme's folder that is published at a path; null for none. */
  themeFileAt(path: string): RepoPath | null;
  /** The destination of the redirect at an address, as the configuration writes it; null when there is none. */
  redirectOf(address: string): string | null;
  /** Whether a path is below a symbolic link in the folder of pages, whose contents are not known. */
  isBehindSymlink(path: RepoPath): boolean;
}

/** Whether MkDocs publishes a file as a page. */
export function isMkdocsPage(path: RepoPath): boolean {
  return /\.(?:markdown|mdown|mkdn|mkd|md)$/.test(path);
}

/** The address of a file in the folder of pages. `path` is inside that folder. */
export function siteAddressOf(path: string, directoryUrls: boolean): string {
  if (!isMkdocsPage(path)) return path;
  const slash = path.lastIndexOf('/') + 1;
  const stem = path.slice(slash).replace(/\.\w+$/, '');
  const folder = path.slice(0, slash);
  if (stem === 'index' || stem === 'README') return `${folder}index.html`;
  return directoryUrls ? `${folder}${stem}/index.html` : `${folder}${stem}.html`;
}

/** The key of symbolic links in the table; no address equals it. */
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
  /** An index page wins over a README, and a page whose name has a language over one without. */
  const docsAt = (address: string): RepoPath | null => {
    let found: RepoPath | null = null;
    for (const { file, value } of table.rows(address)) {
      if (value !== 'docs') continue;
      if (found === null || !(/(?:^|\/)README\.\w+$/.test(file) || isLocalised(found, config))) found = file;
    }
    return found;
  };
  const otherLocales = [...(locales?.names ?? [])].filter((name) => name !== locales?.standard);
  /** Pages without a translation are published untranslated in the other languages. */
  const fallbackAt = (address: string): RepoPath | null => {
    if (locales?.fallsBack !== true || otherLocales.length > MAX_LOCALES) return null;
    const slash = address.indexOf('/');
    if (slash === -1 || !otherLocales.includes(address.slice(0, slash))) return null;
    const plain = address.slice(slash + 1);
    return otherLocales.some((name) => plain.startsWith(`${name}/`)) ? null : docsAt(plain);
  };
  const themeAt = (address: string): RepoPath | null =>
    table.rows(address).find(({ file, value }) => value === 'theme' && addressOfPage(file) === null)?.file ??
    null;
  const addressOfPage = (file: RepoPath): string | null => {
    const address = addressInDocs(file, config);
    return address !== null && (docsAt(address) === file || isWrittenToo(file, address)) ? address : null;
  };
  /** Of two pages with one address, such as `a.md` and `a/index.md`, readers get one, and links to both lead there. */
  const isWrittenToo = (file: RepoPath, address: string): boolean => {
    const winner = docsAt(address);
    if (winner === null || isLocalised(winner, config) || isLocalised(file, config)) return false;
    const isReadme = /(?:^|\/)README\.\w+$/.test(file);
    return isReadme ? folderOf(winner) !== folderOf(file) : isMkdocsPage(file);
  };
  const fileNamed = (address: string) => docsAt(address) ?? fallbackAt(address) ?? themeAt(address);
  const redirectTargets = readRedirectTargets(config);
  const fileNamesOf = (address: string) =>
    address === '' || address.endsWith('/')
      ? [`${address}index.html`]
      : [address, `${address}/index.html`, `${address}.html`];
  return {
    addressOf(file) {
      const address = addressOfPage(file);
      if (address !== null || !isOfTheme(file, config)) return address;
      const inside = pathInside(file, themeFolder ?? '');
      return fileNamed(inside) === file ? inside : null;
    },
    fileAt(address) {
      for (const name of fileNamesOf(address)) {
        const file = fileNamed(name);
        if (file !== null) return file;
      }
      return null;
    },
    themeFileAt: themeAt,
    redirectOf(address) {
      for (const name of fileNamesOf(address)) {
        const target = redirectTargets.get(name);
        if (target !== undefined && fileNamed(name) === null) return target;
      }
      return null;
    },
    isBehindSymlink: (path) =>
      docsFolder !== null && table.rows(SYMLINKS).some(({ file }) => path.startsWith(`${file}/`)),
  };
}

/**
 * The address of a file if no other file had the same address; null for excluded files and files outside the folder of
 * pages.
 */
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

/** For a site with more languages than this, untranslated pages are not looked up. */
const MAX_LOCALES = 100;

function isLocalised(file: RepoPath, { docsFolder, locales }: MkdocsConfig): boolean {
  return localisedPath(locales, pathInside(file, docsFolder ?? '')).locale !== null;
}

/** Addresses with a redirect, which apply where no file is published → the destination as configured. */
function readRedirectTargets({ redirects, directoryUrls }: MkdocsConfig): ReadonlyMap<string, string> {
  const redirectTargets = new Map<string, string>();
  for (const [from, to] of redirects) {
    if (isMkdocsPage(from)) redirectTargets.set(siteAddressOf(from, directoryUrls), to);
  }
  return redirectTargets;
}
