import { readingOfMarkdown } from '../../facts/index.ts';
import {
  type FilesRead,
  type Format,
  generatedVerdict,
  type LinkRules,
  type OpenSpace,
  type RepositoryFiles,
  type SpaceInput,
} from '../../format-port/index.ts';
import type { FileProblem, RepoPath } from '../../model/index.ts';
import { pageFilesOf, pagesFromSummary } from '../../pages/index.ts';
import {
  folderOf,
  isInside,
  isPageFile,
  isSourceOfSpace,
  resolvePath,
  withoutInstalled,
} from '../../tree/index.ts';
import { withHostAnchors } from '../host-anchors.ts';
import { IncludingPages } from '../including-pages.ts';
import { leftOutRules } from '../left-out-rules.ts';
import { redirectSettings } from '../redirect-rules.ts';
import { BookPaths } from './book-paths.ts';
import { Chapters } from './chapters.ts';
import { FoundFiles } from './found-files.ts';
import { ChapterAnchorsOf, includedFile } from './mdbook-anchors.ts';
import { readBookConfig } from './mdbook-config.ts';
import { bookConfigReading, bookConfigRules } from './mdbook-config-links.ts';
import { bookContentsReading, chapterReading } from './mdbook-reading.ts';
import { mdbookRules } from './mdbook-rules.ts';

/**
 * mdBook: a folder with a `book.toml` is a book, and `SUMMARY.md` in its source folder lists the chapters. Nothing
 * else is published; people read other files of the folder on the repository's host.
 */
export const mdbookFormat: Format = {
  detect(repository) {
    return withoutInstalled(repository.index.named('book.toml')).flatMap((path) => {
      const directory = folderOf(path);
      const { source, title } = readBookConfig(repository, directory);
      // A second configuration for the chapters of another book, such as a printed edition, is not a book of its own.
      if (source === null || (source !== directory && !isInside(source, directory))) return [];
      return hasSummary(repository, source) ? [{ directory, title }] : [];
    });
  },
  open: openBook,
};

function hasSummary({ index }: RepositoryFiles, source: RepoPath): boolean {
  return index.entry(summaryOf(source)) !== undefined;
}

function summaryOf(source: RepoPath): RepoPath {
  return source === '' ? 'SUMMARY.md' : `${source}/SUMMARY.md`;
}

function openBook(space: SpaceInput): OpenSpace {
  const config = readBookConfig(space, space.directory);
  const source = config.source ?? space.directory;
  const summary = summaryOf(source);
  const settings = space.directory === '' ? 'book.toml' : `${space.directory}/book.toml`;
  const problems: FileProblem[] = [];
  if (config.problem !== null)
    problems.push({
      file: settings,
      line: null,
      message: `The configuration is not read: ${config.problem}.`,
    });
  if (!hasSummary(space, source)) {
    const message = `The book has no table of contents: ${summary} is not there.`;
    problems.push({ file: summary, line: null, message });
  }
  return {
    sources: space.entries.filter(
      (entry) => isSourceOfSpace(entry) || (entry.path === settings && entry.mode !== 'symlink'),
    ),
    readingOf: (path) => {
      if (path === settings) return bookConfigReading;
      if (path === summary) return bookContentsReading;
      if (!isPageFile(path)) return null;
      return isInside(path, source) ? chapterReading : readingOfMarkdown(path);
    },
    problems,
    generator: (index) => config.generator(index),
    settings: () =>
      redirectSettings(
        [...config.redirects].map(([from, to]) => ({ from, to: redirectTarget(from, to) })),
        config.base ?? '/',
      ),
    // The rules read chapters through tables, which record their dependencies.
    shapedBy: () => null,
    publish: (files) => publishBook(space, files, { config, source, summary, settings }),
  };
}

/** Where a redirect leads from its own address, as a browser resolves it: a path from the book's root, or an address elsewhere. */
function redirectTarget(from: string, to: string): string {
  const [path = '', anchor] = to.split('#', 2);
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(to) || path === '') return to;
  const found = resolvePath(from, path);
  return found.inside ? `/${found.path}${anchor === undefined ? '' : `#${anchor}`}` : to;
}

/** Rules under which a chapter of a folder is unchecked that the book lacks and the repository has: a build may copy it. */
function withCopiedFolders(rules: LinkRules, { index }: SpaceInput): LinkRules {
  return {
    ...rules,
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      const path = resolution.candidates.at(-1) ?? resolution.candidates[0];
      const folder = folderOf(path);
      if (own !== null || !isPageFile(path) || folder === '' || index.isFolder(folder)) return own;
      const tail = path.slice(path.lastIndexOf('/', folder.length - 1) + 1);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const beside = index.named(name).find((candidate) => `/${candidate}`.endsWith(`/${tail}`));
      return beside === undefined
        ? null
        : generatedVerdict(
            `The book has no folder ${folder}, and a build may copy it from where ${beside} is.`,
          );
    },
  };
}

function publishBook(
  space: SpaceInput,
  files: FilesRead,
  {
    config,
    source,
    summary,
    settings,
  }: {
    readonly config: ReturnType<typeof readBookConfig>;
    readonly source: RepoPath;
    readonly summary: RepoPath;
    readonly settings: RepoPath;
  },
) {
  const chapters = new Chapters(files, summary);
  const including = new IncludingPages(files, 'mdbook', includedFile);
  const paths = new BookPaths(config, source, chapters);
  const book = { paths, anchors: new ChapterAnchorsOf(paths, files), repository: space.repository };
  const found = new FoundFiles(files);
  const rules = found.addTo(withCopiedFolders(mdbookRules(book), space));
  const configRules = bookConfigRules(book);
  const outside = found.addTo(withHostAnchors(leftOutRules(space), (path) => isInside(path, source)));
  return {
    get pages() {
      const pageFiles = pageFilesOf(space.entries, files, (path) => chapters.has(path));
      return pagesFromSummary(files.facts(summary)?.contents ?? [], {
        summaryPath: summary,
        directory: source,
        pageAt: (path) => pageFiles.get(path) ?? null,
      });
    },
    get assets() {
      return space.entries
        .filter((entry) => isInside(entry.path, source) && !isPageFile(entry.path))
        .map(({ path, oid, size }) => ({ path, oid, size: size ?? null }));
    },
    rulesOf(file: RepoPath) {
      if (file === settings) return configRules;
      if (chapters.has(file) || file === summary || paths.isNotFound(file)) return rules;
      const chapter = including.firstOf(file, (path) => chapters.orderOf(path));
      return chapter === null ? outside : found.addTo(mdbookRules(book, chapter));
    },
    changesSince: () => [],
  };
}
