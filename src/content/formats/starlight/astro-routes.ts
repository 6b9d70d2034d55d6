import { slug } from 'github-slugger';
import type { FilesRead, TableRow } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { isInside, pathInside } from '../../tree/index.ts';
import type { AstroConfig } from './starlight-config.ts';

/** Looks up the addresses of files and the files of addresses. Addresses have no leading or trailing slashes. */
export interface AstroRoutes {
  /** The address of a page of the documentation; null for every other file. */
  addressOf(file: RepoPath): string | null;
  /**
   * The file of an address: a page, the page that replaces a missing translation, or a file of the public folder; null
   * when there is none.
   */
  fileAt(address: string): RepoPath | null;
  /** Whether an address may be that of a page with parameters in its name. */
  mayBeDynamic(address: string): boolean;
  /** Whether a page with parameters in its name may be published at the address of one of the documentation. */
  isReplaced(address: string): boolean;
}

export function isDocsPage(path: RepoPath, config: AstroConfig): boolean {
  return (
    isInside(path, config.contentFolder) &&
    /\.(?:markdown|mdown|mkdn|mkd|mdwn|md|mdx|mdoc)$/.test(path) &&
    !/(?:^|\/)_[^/]*$/.test(path) &&
    !/\/\./.test(pathInside(path, config.contentFolder))
  );
}

/** Whether a file is a page outside the documentation, which Astro publishes by its path. */
export function isAstroPage(path: RepoPath, config: AstroConfig): boolean {
  const folder = `${config.sourceFolder}/pages`;
  return isInside(path, folder) && !/(?:^|\/)_/.test(pathInside(path, folder));
}

/** What a file publishes at its address: a page of the documentation, or something else. */
interface PublishedEntry {
  readonly isDocs: boolean;
}

/** The key of pages with parameters in their names; no address equals it. */
const DYNAMIC = '\0dynamic';

export function astroRoutes(config: AstroConfig, files: FilesRead): AstroRoutes {
  const docsAddress = (path: RepoPath): string | null => {
    if (!isDocsPage(path, config)) return null;
    const facts = files.facts(path);
    return facts?.frontMatter['draft'] === true
      ? null
      : addressOfEntry(pathInside(path, config.contentFolder), facts);
  };
  const table = files.table<PublishedEntry>('starlight routes', ({ path }) => {
    if (isDocsPage(path, config)) {
      const address = docsAddress(path);
      return address === null ? [] : [[address, { isDocs: true }]];
    }
    if (isInside(path, config.publicFolder))
      return [[pathInside(path, config.publicFolder), { isDocs: false }]];
    if (!isAstroPage(path, config)) return [];
    const published = pageAddress(path, config);
    return [[published.includes('[') ? DYNAMIC : published, { isDocs: false }]];
  });
  const dynamicOf = new WeakMap<readonly TableRow<PublishedEntry>[], Dynamic>();
  const dynamic = () => {
    const rows = table.rows(DYNAMIC);
    const known = dynamicOf.get(rows) ?? readDynamic(rows.map(({ file }) => pageAddress(file, config)));
    dynamicOf.set(rows, known);
    return known;
  };
  const folders = new Set((config.locales ?? []).filter((locale) => locale !== ''));
  const ownAt = (address: string) => table.rows(address).at(-1)?.file ?? null;
  const at = (address: string) => ownAt(address) ?? fallbackAt(address);
  /** Starlight publishes the default language's page where a translation is missing (its guide, i18n). */
  const fallbackAt = (address: string): RepoPath | null => {
    const { locales, defaultLocale } = config;
    if (locales === null || locales.length < 2) return null;
    const [first = ''] = address.split('/', 1);
    const locale = folders.has(first) ? first : '';
    if (locale === defaultLocale || !locales.includes(locale)) return null;
    const rest = locale === '' ? address : address.slice(locale.length + 1);
    const standard = defaultLocale === '' ? rest : rest === '' ? defaultLocale : `${defaultLocale}/${rest}`;
    // The default language without a folder has no pages in the folders of other languages.
    if (defaultLocale === '' && folders.has(rest.split('/', 1)[0] ?? '')) return null;
    return table.rows(standard).find(({ value }) => value.isDocs)?.file ?? null;
  };
  return {
    addressOf: (file) => (files.file(file) === null ? null : docsAddress(file)),
    fileAt: (address) => at(address) ?? at(address.normalize()) ?? at(withoutIndex(address)),
    isReplaced: (address) => dynamic().patterns.some((pattern) => pattern.test(address)),
    mayBeDynamic(address) {
      const { catchAll, patterns } = dynamic();
      // Addresses in a language's folder belong to the documentation, so a catch-all page does not apply to them.
      const first = address.split('/', 1)[0] ?? '';
      return (catchAll && !folders.has(first)) || patterns.some((pattern) => pattern.test(address));
    },
  };
}

interface Dynamic {
  readonly catchAll: boolean;
  readonly patterns: readonly RegExp[];
}

function readDynamic(routes: readonly string[]): Dynamic {
  const specific = routes.filter((route) => !isCatchAll(route));
  return {
    catchAll: specific.length < routes.length,
    patterns: specific.slice(0, MAX_DYNAMIC).map(patternOf),
  };
}

function pageAddress(path: RepoPath, { sourceFolder }: AstroConfig): string {
  return pathInside(path, `${sourceFolder}/pages`)
    .replace(/\.(?:astro|md|mdx|html|ts|js|mjs)$/, '')
    .replace(/(?:^|\/)index$/, '');
}

function isCatchAll(route: string): boolean {
  return /^\[\.\.\.[^\]]+\]$/.test(route);
}

const MAX_DYNAMIC = 200;

/** The slug in the front matter, or else the path with each part slugged like a heading on GitHub. */
function addressOfEntry(path: string, facts: FileFacts | undefined): string {
  const explicit = facts?.frontMatter['slug'];
  const id =
    (typeof explicit === 'string' && explicit !== '') || typeof explicit === 'number'
      ? String(explicit).split('/').filter(Boolean).join('/')
      : path
          .replace(/\.\w+$/, '')
          .split('/')
          .map((part) => slug(part))
          .join('/');
  return id.replace(/(?:^|\/)index$/, '').normalize();
}

function withoutIndex(address: string): string {
  return address.replace(/(?:^|\/)index(?:\.html)?$/, '');
}

/** Compiles a route: `[lang]` matches one segment, `[...path]` any number of segments. */
function patternOf(route: string): RegExp {
  const segments = route.split('/').map((segment) => {
    if (/^\[\.\.\./.test(segment)) return '.*';
    return segment
      .split(/\[[^\]]*\]/)
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('[^/]+');
  });
  return new RegExp(`^${segments.join('/')}$`, 'u');
}
