import {
  generatedVerdict,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { isInside, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { type ScriptValue, textAt } from '../script-config/script-value.ts';
import type { ContentRoot, PublishedPage } from './docusaurus-pages.ts';
import { type DocusaurusSite, normaliseRoute } from './docusaurus-site.ts';
import type { PageTable } from './page-table.ts';

/** Finds the file of an address of a site. */
export class SiteRoutes {
  readonly site: DocusaurusSite;
  readonly roots: readonly ContentRoot[];
  /** Whether the site's host redirects an address. */
  readonly isRedirected: (address: string) => boolean;
  readonly #linked: readonly Pick<ContentRoot, 'folder' | 'route'>[];
  readonly #generated: ReadonlySet<string>;
  readonly #index: TreeIndex;
  readonly #pages: PageTable;

  constructor(options: {
    readonly site: DocusaurusSite;
    readonly roots: readonly ContentRoot[];
    /** Folders whose files the tree does not list there. */
    readonly linked: readonly Pick<ContentRoot, 'folder' | 'route'>[];
    readonly pages: PageTable;
    readonly generated: ReadonlySet<string>;
    readonly index: TreeIndex;
    readonly isRedirected: (address: string) => boolean;
  }) {
    this.site = options.site;
    this.roots = options.roots;
    this.isRedirected = options.isRedirected;
    this.#linked = options.linked;
    this.#generated = options.generated;
    this.#index = options.index;
    this.#pages = options.pages;
  }

  /** The content folder that contains a file; null when none does. */
  rootAt(file: RepoPath): ContentRoot | null {
    return this.roots.find((root) => isInside(file, root.folder)) ?? null;
  }

  isStatic(file: RepoPath): boolean {
    return this.site.staticFolders.some((folder) => isInside(file, folder));
  }

  /** The address of a page against which its relative links are resolved. */
  addressOf({ route }: PublishedPage): string {
    if (this.site.trailingSlash === undefined || this.site.trailingSlash === null) return route;
    const plain = normaliseRoute(route);
    return this.site.trailingSlash && plain !== '/' ? `${plain}/` : plain;
  }

  /** The file of an address; if there is none, missing files that would have the address. */
  filesAt(address: string, locale: RepoPath | null): readonly [RepoPath, ...RepoPath[]] {
    const found = this.#find(address, locale);
    if (found !== null) return [found];
    const route = this.#ownRoute(address).route.slice(1);
    const guesses = [...this.roots]
      .filter((root) => root.locale === null && isBelow(route, root.route))
      .sort((a, b) => b.route.length - a.route.length)
      .flatMap((root) => {
        const path = joinPath(root.folder, root.route === '' ? route : route.slice(root.route.length + 1));
        return [
          '.md',
          '.mdx',
          '/index.md',
          '/index.mdx',
          '/README.md',
          ...(root.plugin.kind === 'pages' ? ['.js', '.tsx'] : []),
        ].map((ending) => path.replace(/\/$/, '') + ending);
      });
    const statics = this.site.staticFolders.map((folder) => joinPath(folder, route));
    const isFile = /\.[a-z][a-z0-9]*$/i.test(route);
    const missing = (isFile ? [...statics, ...guesses] : [...guesses, ...statics]).filter(
      (path) => !this.#index.has(path),
    );
    const [first = joinPath(this.site.folder, `${route}.md`), ...rest] = missing;
    return [first, ...rest];
  }

  /** Files that differ in case alone from one that an address would have. */
  alike(path: RepoPath): readonly RepoPath[] {
    return this.#index.alike(path);
  }

  isKnown(address: string): boolean {
    const { route } = this.#ownRoute(address);
    if (this.#generated.has(route) || this.site.redirects.has(route)) return true;
    return this.site.contents.some(({ kind, route: base, options }) => {
      const own = normaliseRoute(base);
      if (kind === 'pages') return false;
      const inside =
        route === own
          ? ''
          : route.startsWith(own === '/' ? '/' : `${own}/`)
            ? route.slice(own.length).replace(/^\//, '')
            : null;
      if (inside === null) return false;
      if (listPaths(options).includes(inside)) return true;
      if (kind === 'blog')
        return (
          inside === '' || /^(?:archive|authors|tags|page\/\d+|(?:rss|atom)\.xml|feed\.json)$/.test(inside)
        );
      return inside === 'tags';
    });
  }

  /** Whether the builder generates pages with addresses like this one, whose names are not known. */
  mayBeGenerated(address: string): boolean {
    const { route } = this.#ownRoute(address);
    if (/^\/(?:search|sitemap\.xml|404(?:\.html)?)$/.test(route)) return true;
    if (this.site.pluginRoutes.some((own) => `${route}/`.startsWith(`${own}/`))) return true;
    return this.site.contents.some(({ kind, route: base, options }) => {
      const own = normaliseRoute(base).replace(/\/$/, '');
      if (kind === 'pages' || !route.startsWith(`${own}/`)) return false;
      const inside = route.slice(own.length + 1);
      if (listPaths(options).some((list) => inside.startsWith(`${list}/`))) return true;
      return kind === 'docs'
        ? /^(?:[^/]+\/)?(?:category|tags)\//.test(inside)
        : /^(?:tags|authors|page)\//.test(inside);
    });
  }

  /** The folder of an address's pages where the tree does not list them; null where it would. */
  linkedFolderOf(address: string): RepoPath | null {
    const route = this.#ownRoute(address).route.slice(1);
    const [first] = this.#linked
      .filter((linked) => isBelow(route, linked.route))
      .sort((a, b) => b.route.length - a.route.length);
    if (first === undefined) return null;
    const isListed = this.roots.some(
      (root) => root.route.length > first.route.length && isBelow(route, root.route),
    );
    return isListed ? null : first.folder;
  }

  #find(address: string, locale: string | null): RepoPath | null {
    for (const { route, locale: ownLocale } of [
      this.#ownRoute(address),
      { route: normaliseRoute(address), locale: null },
    ]) {
      const file =
        this.#pages.fileAt(ownLocale ?? locale, route) ??
        this.#pages.fileAt(null, route) ??
        this.#staticFile(route);
      if (file !== null) return file;
    }
    return null;
  }

  #staticFile(route: string): RepoPath | null {
    for (const folder of this.site.staticFolders) {
      const path = joinPath(folder, route.slice(1));
      const found = [path, `${path}.html`, joinPath(path, 'index.html')].find(
        (candidate) => this.#index.entry(candidate) !== undefined,
      );
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Splits the site's base and a leading language from an address. */
  #ownRoute(address: string): { readonly route: string; readonly locale: string | null } {
    const { base, locales, defaultLocale } = this.site;
    let route =
      base !== null && base !== '/' && `${address}/`.startsWith(base)
        ? address.slice(base.length - 1)
        : address;
    const first = route.split('/')[1] ?? '';
    const locale = locales.includes(first) && first !== defaultLocale ? first : null;
    if (locale !== null) route = route.slice(locale.length + 1);
    return { route: normaliseRoute(route), locale };
  }
}

function isBelow(route: string, base: string): boolean {
  return base === '' || route === base || route.startsWith(`${base}/`);
}

/** The configured paths of the lists that a plugin generates (https://docusaurus.io/docs/api/plugins). */
function listPaths(options: ScriptValue): readonly string[] {
  return ['tagsBasePath', 'archiveBasePath', 'authorsBasePath', 'pageBasePath'].flatMap((key) => {
    const path = (textAt(options, key) ?? '').replace(/^\//, '').replace(/\/$/, '');
    return path === '' ? [] : [path];
  });
}

/** Returns Docusaurus's own verdict on an address without a file; null for the common message. */
export function explainMissingAddress(
  routes: SiteRoutes,
  { address: linkedAddress, candidates: [file] }: PathResolution,
  reference: Reference,
): LinkVerdict | null {
  const address = linkedAddress ?? addressOfGuess(routes, file);
  if (routes.isKnown(address)) return linkVerdict('ok', null);
  const isGenerated = routes.mayBeGenerated(address);
  const isRedirected =
    routes.isRedirected(address) || routes.isRedirected((routes.site.base ?? '/') + address.slice(1));
  if (!routes.site.isSure) {
    const message = `${routes.site.config} decides by running where pages are published, so this cannot be told.`;
    return isGenerated || isRedirected ? linkVerdict('unchecked', message) : generatedVerdict(message);
  }
  if (isGenerated) {
    return linkVerdict('unchecked', `The builder makes pages such as ${address} from what others say.`);
  }
  if (isRedirected) {
    return linkVerdict('unchecked', `There is no page ${address}; the host’s redirects lead it on.`);
  }
  const linked = reference.kind === 'image' ? null : routes.linkedFolderOf(address);
  if (linked !== null) {
    return generatedVerdict(
      `The pages of ${address} are in ${linked}, which leads to files that the repository does not have there.`,
    );
  }
  if (routes.site.pageGenerator !== null && reference.kind !== 'image') {
    return generatedVerdict(`The plugin ${routes.site.pageGenerator} may publish ${address}.`);
  }
  return null;
}

/** The address that a missing file would have. */
function addressOfGuess(routes: SiteRoutes, file: RepoPath): string {
  const statics = routes.site.staticFolders.find((folder) => isInside(file, folder));
  if (statics !== undefined) return `/${file.slice(statics.length + 1)}`;
  const root = [...routes.roots]
    .sort((a, b) => b.folder.length - a.folder.length)
    .find((candidate) => candidate.locale === null && isInside(file, candidate.folder));
  const inside =
    root === undefined
      ? file.slice(joinPath(routes.site.folder, '').length)
      : file.slice(root.folder.length + 1);
  return normaliseRoute(
    `${root?.route ?? ''}/${inside.replace(/\.(?:mdx?|js|tsx)$/, '').replace(/(^|\/)(?:index|README)$/, '$1')}`,
  );
}
