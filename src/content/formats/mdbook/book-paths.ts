import type { RepoPath } from '../../model/index.ts';
import { folderOf, isInside, pathInside } from '../../tree/index.ts';
import type { Chapters } from './chapters.ts';
import type { BookConfig } from './mdbook-config.ts';

/** Finds the chapters at the addresses of a book. */
export class BookPaths {
  readonly config: BookConfig;
  readonly source: RepoPath;
  readonly chapters: Pick<Chapters, 'has' | 'first'>;

  constructor(config: BookConfig, source: RepoPath, chapters: Pick<Chapters, 'has' | 'first'>) {
    this.config = config;
    this.source = source;
    this.chapters = chapters;
  }

  /**
   * The chapter that is shown for a folder: its index page, or for the book's root the first chapter; null when there
   * is none.
   */
  indexPageOf(folder: RepoPath): RepoPath | null {
    const inFolder = folder === '' ? '' : `${folder}/`;
    const names = this.config.renamesReadme
      ? ['index.md', 'README.md', 'readme.md', 'Readme.md']
      : ['index.md'];
    const own = names.map((name) => inFolder + name).find((path) => this.chapters.has(path));
    if (own !== undefined || folder !== this.source) return own ?? null;
    return this.chapters.first();
  }

  /** The chapter at an address that ends with `.html`, whether or not it exists; null for other paths. */
  chapterAt(path: RepoPath): RepoPath | null {
    const folder = folderOf(path);
    if (/(?:^|\/)index\.md$/.test(path) && this.config.renamesReadme && !this.chapters.has(path)) {
      return this.indexPageOf(folder) ?? path;
    }
    if (!path.endsWith('.html')) return null;
    const page = `${path.slice(0, -5)}.md`;
    return /(?:^|\/)index\.html$/.test(path) ? (this.indexPageOf(folder) ?? page) : page;
  }

  /** The path in the repository of an address from the host's root; null when it is known to be outside the book. */
  onHost(path: string): RepoPath | null {
    const base = (this.config.base ?? '/').slice(1);
    if (!`${path}/`.startsWith(base)) return null;
    const inside = path.slice(base.length);
    return this.source === '' ? inside : inside === '' ? this.source : `${this.source}/${inside}`;
  }

  /** The path relative to the book's root; null for a path outside the source folder. */
  inside(path: RepoPath): string | null {
    if (path === this.source) return '';
    return isInside(path, this.source) ? pathInside(path, this.source) : null;
  }

  /** Whether a file is the source of the page for missing addresses. */
  isNotFound(path: RepoPath): boolean {
    return this.config.notFound !== null && this.inside(path) === this.config.notFound;
  }
}
