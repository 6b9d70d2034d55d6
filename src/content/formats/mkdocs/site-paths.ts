import type { Reference, RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside, resolvePath, type TreeIndex } from '../../tree/index.ts';
import { localisedChoices, localisedPath } from './locales.ts';
import type { MkdocsConfig } from './mkdocs-config.ts';
import { type PublishedSite, siteAddressOf } from './published-site.ts';

/** Resolves the paths and addresses in links of one site. */
export class SitePaths {
  readonly config: MkdocsConfig;
  readonly site: PublishedSite;
  /** The folder of pages. */
  readonly docs: RepoPath;
  readonly index: TreeIndex;
  /** Whether a plugin shows code in the place of a link. */
  readonly isShownCode: (file: RepoPath, reference: Reference) => boolean;

  constructor(
    config: MkdocsConfig,
    site: PublishedSite,
    index: TreeIndex,
    isShownCode: (file: RepoPath, reference: Reference) => boolean,
  ) {
    this.isShownCode = isShownCode;
    this.config = config;
    this.site = site;
    this.docs = config.docsFolder ?? '';
    this.index = index;
  }

  inDocs(path: string): RepoPath {
    return this.docs === '' ? path : path === '' ? this.docs : `${this.docs}/${path}`;
  }

  /**
   * The source file that a Markdown link names, in the page's language; null when the path leads out of the repository.
   */
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
    const { site } = this;
    return site.addressOf(source) !== null || site.isBehindSymlink(source) || this.#isBesideSpace(source);
  }

  /** Whether a page is in a folder of pages that is not below the configuration, so that it is no file of the space. */
  #isBesideSpace(source: RepoPath): boolean {
    const { config, docs, index } = this;
    const folder = folderOf(config.file);
    if (!isInside(source, docs) || docs === folder || isInside(docs, folder)) return false;
    return index.entry(source) !== undefined && !config.isExcluded(pathInside(source, docs));
  }

  /** Resolves a path against the address of a page, as a browser does; null when it leads out of the site. */
  fromPage(file: RepoPath, path: string): string | null {
    const own =
      this.site.addressOf(file) ?? siteAddressOf(pathInside(file, this.docs), this.config.directoryUrls);
    const resolution = resolvePath(own, path);
    if (!resolution.inside) {
      return this.config.basePath === '' ? resolution.rest : null;
    }
    return resolution.endsWithSlash && resolution.path !== '' ? `${resolution.path}/` : resolution.path;
  }

  /** A path from the root of the host, relative to the site's root; null when it is outside the site. */
  belowBase(path: string): string | null {
    const base = this.config.basePath ?? '';
    const inside = path.replace(/^\/+/, '');
    if (base === '') return inside;
    if (inside === base) return '';
    return inside.startsWith(`${base}/`) ? inside.slice(base.length + 1) : null;
  }

  /** Missing source files that would have an address, so that a renamed file can be suggested. */
  guesses(address: string): RepoPath[] {
    const stem = this.inDocs(address.replace(/(?:\/index\.html|\.html|\/)$/, ''));
    const guesses =
      /\.\w+$/.test(stem) && !address.endsWith('/')
        ? []
        : [`${stem}.md`, `${stem}/index.md`, `${stem}/README.md`];
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

/** Resolves `.` and `..` in a path, as browsers and MkDocs do. */
export function normalised(path: string): string {
  const resolution = resolvePath('x', path);
  const inside = resolution.inside ? resolution.path : resolution.rest;
  return path.endsWith('/') && inside !== '' ? `${inside}/` : inside;
}
