import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, resolvePath, type TreeIndex } from '../../tree/index.ts';
import { localisedChoices, localisedPath } from './locales.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';
import { type PublishedSite, siteAddressOf } from './published-site.ts';

/** Where the paths and addresses that pages of one site name lead. */
export class SitePaths {
  readonly config: MkdocsConfig;
  readonly site: PublishedSite;
  /** The folder of pages. */
  readonly docs: RepoPath;
  readonly index: TreeIndex;

  constructor(config: MkdocsConfig, site: PublishedSite, index: TreeIndex) {
    this.config = config;
    this.site = site;
    this.docs = config.docsFolder ?? '';
    this.index = index;
  }

  inDocs(path: string): RepoPath {
    return this.docs === '' ? path : path === '' ? this.docs : `${this.docs}/${path}`;
  }

  /** The source file that a Markdown link names, in the page's language; null when it leaves the repository. */
  sourceOf(file: RepoPath, path: string): RepoPath | null {
    const source = this.#plainSourceOf(file, path);
    const { locales } = this.config;
    if (locales === null || source === null || !isInside(source, this.docs)) return source;
    const { locale } = localisedPath(locales, pathInside(file, this.docs));
    const choices = localisedChoices(locales, pathInside(source, this.docs), locale);
    return (
      choices.map((choice) => this.inDocs(choice)).find((candidate) => this.isPublished(candidate)) ?? source
    );
  }

  #plainSourceOf(file: RepoPath, path: string): RepoPath | null {
    if (path.startsWith('/')) return this.inDocs(normalised(path.replace(/^\/+/, '')));
    const resolution = resolvePath(file, path);
    return resolution.inside ? resolution.path : null;
  }

  isPublished(source: RepoPath): boolean {
    return this.site.addressOf(source) !== null || this.site.isBehindSymlink(source);
  }

  /** Where a browser goes from a page; null when that is above the site. */
  fromPage(file: RepoPath, path: string): string | null {
    const own =
      this.site.addressOf(file) ?? siteAddressOf(pathInside(file, this.docs), this.config.directoryUrls);
    const resolution = resolvePath(own, path);
    if (!resolution.inside) {
      return this.config.basePath === '' ? resolution.rest : null;
    }
    return resolution.endsWithSlash && resolution.path !== '' ? `${resolution.path}/` : resolution.path;
  }

  /** A path from the root of the host, below the site's; null when it is beside the site. */
  belowBase(path: string): string | null {
    const base = this.config.basePath ?? '';
    const inside = path.replace(/^\/+/, '');
    if (base === '') return inside;
    if (inside === base) return '';
    return inside.startsWith(`${base}/`) ? inside.slice(base.length + 1) : null;
  }

  /** Source files that would stand at an address, so that one that was renamed is found. */
  guesses(address: string): RepoPath[] {
    const stem = this.inDocs(address.replace(/(?:\/index\.html|\.html|\/)$/, ''));
    const guesses = /\.\w+$/.test(stem) ? [] : [`${stem}.md`, `${stem}/index.md`, `${stem}/README.md`];
    return guesses.filter((path) => this.index.entry(path) === undefined);
  }

  addressOfFolder(folder: RepoPath): string {
    return folder === this.docs
      ? ''
      : isInside(folder, this.docs)
        ? `${pathInside(folder, this.docs)}/`
        : '\0';
  }
}

/** Without `.` and `..`, which browsers and MkDocs take out. */
export function normalised(path: string): string {
  const resolution = resolvePath('x', path);
  const inside = resolution.inside ? resolution.path : resolution.rest;
  return path.endsWith('/') && inside !== '' ? `${inside}/` : inside;
}
