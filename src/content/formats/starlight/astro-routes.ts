import { slug } from 'github-slugger';
import type { FileFacts, RepoPath } from '../../model.ts';
import { isInside, pathInside } from '../../tree/page-files.ts';
import type { FilesRead, SpaceInput } from '../format.ts';
import type { AstroConfig } from './read-astro-config.ts';

/** Where readers find a file, and which file answers an address. Addresses have no slashes at the ends. */
export interface AstroRoutes {
  /** Of a page of the documentation; null for every other file. */
  addressOf(file: RepoPath): string | null;
  /** The file that answers an address: a page, a page in place of its translation, a file of the public folder. */
  fileAt(address: string): RepoPath | null;
  /** Whether a page with parameters in its name may answer an address. */
  mayBeDynamic(address: string): boolean;
  /** The pages of the default language and of all others, without those in place of translations. */
  readonly pages: ReadonlyMap<RepoPath, string>;
}

export function isDocsPage(path: RepoPath, config: AstroConfig): boolean {
  return (
    isInside(path, config.contentFolder) &&
    /\.(?:markdown|mdown|mkdn|mkd|mdwn|md|mdx|mdoc)$/.test(path) &&
    !/(?:^|\/)_[^/]*$/.test(path) &&
    !/\/\./.test(pathInside(path, config.contentFolder))
  );
}

/** Pages beside the documentation, which Astro publishes by their paths. */
export function isAstroPage(path: RepoPath, config: AstroConfig): boolean {
  const folder = `${config.sourceFolder}/pages`;
  return isInside(path, folder) && !/(?:^|\/)_/.test(pathInside(path, folder));
}

export function astroRoutes(space: SpaceInput, config: AstroConfig, files: FilesRead): AstroRoutes {
  const pages = new Map<RepoPath, string>();
  const routes = new Map<string, RepoPath>();
  const dynamic: RegExp[] = [];
  let catchAll = false;
  for (const { path } of space.entries) {
    if (isDocsPage(path, config)) {
      const facts = files.facts(path);
      if (facts?.frontMatter['draft'] === true) continue;
      const address = addressOfEntry(pathInside(path, config.contentFolder), facts);
      pages.set(path, address);
      routes.set(address, path);
    } else if (isInside(path, config.publicFolder)) {
      routes.set(pathInside(path, config.publicFolder), path);
    } else if (isAstroPage(path, config)) {
      const address = pathInside(path, `${config.sourceFolder}/pages`).replace(
        /\.(?:astro|md|mdx|html|ts|js|mjs)$/,
        '',
      );
      const published = address.replace(/(?:^|\/)index$/, '');
      if (!published.includes('[')) routes.set(published, path);
      else if (/^\[\.\.\.[^\]]+\]$/.test(published)) catchAll = true;
      else if (dynamic.length < MAX_DYNAMIC) dynamic.push(patternOf(published));
    }
  }
  addFallbacks(config, pages, routes);
  const folders = new Set((config.locales ?? []).filter((one) => one !== ''));
  return {
    pages,
    addressOf: (file) => pages.get(file) ?? null,
    fileAt: (address) =>
      routes.get(address) ?? routes.get(address.normalize()) ?? routes.get(withoutIndex(address)) ?? null,
    mayBeDynamic(address) {
      // Pages of a language are the documentation's own, so what takes all addresses is for others.
      const first = address.split('/', 1)[0] ?? '';
      return (catchAll && !folders.has(first)) || dynamic.some((pattern) => pattern.test(address));
    },
  };
}

const MAX_DYNAMIC = 200;

/** Starlight publishes the default language's page where a translation is missing (its guide, i18n). */
function addFallbacks(
  { locales, defaultLocale }: AstroConfig,
  pages: ReadonlyMap<RepoPath, string>,
  routes: Map<string, RepoPath>,
): void {
  if (locales === null || locales.length < 2) return;
  const folders = locales.filter((one) => one !== '');
  const localeOf = (address: string) => {
    const first = address.split('/', 1)[0] ?? '';
    return folders.includes(first) ? first : '';
  };
  for (const [path, address] of pages) {
    if (localeOf(address) !== defaultLocale) continue;
    const rest = defaultLocale === '' ? address : address.slice(defaultLocale.length + 1);
    for (const locale of locales) {
      const translated = locale === '' ? rest : rest === '' ? locale : `${locale}/${rest}`;
      if (!routes.has(translated)) routes.set(translated, path);
    }
  }
}

/** The slug of front matter, else the path with each part made a slug as GitHub makes anchors. */
function addressOfEntry(path: string, facts: FileFacts | undefined): string {
  const given = facts?.frontMatter['slug'];
  const id =
    (typeof given === 'string' && given !== '') || typeof given === 'number'
      ? String(given).split('/').filter(Boolean).join('/')
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

/** `[lang]/index` → one segment; `[...path]` → any number. A rest below a folder says what it is for. */
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
