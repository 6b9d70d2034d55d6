import {
  type LinkResolution,
  type LinkRules,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import { type ParsedTarget, parseTarget, resolveParsed, resolvePaths } from '../../links/index.ts';
import type { Reference, RepoPath, RepositoryAddress } from '../../model/index.ts';
import { isInside, isPageFile, isSummaryFile, pathInside } from '../../tree/index.ts';
import { alternativeMarkdownPaths } from '../github/github-rules.ts';
import type { BookPaths } from './book-paths.ts';
import { checkMdbookAccess, explainMissingChapter } from './mdbook-access.ts';
import type { ChapterAnchorsOf } from './mdbook-anchors.ts';

/** What the rules need to know of a book. */
export interface Book {
  readonly paths: BookPaths;
  readonly anchors: ChapterAnchorsOf;
  readonly repository: RepositoryAddress | undefined;
}

/**
 * The rules of a book's chapters: `.md` becomes `.html`, other files of the source folder are copied, and chapters that
 * the table of contents does not list are not published. For a file that is only included, `from` is the chapter to
 * whose address links are relative.
 */
export function mdbookRules(book: Book, from: RepoPath | null = null): LinkRules {
  const { paths } = book;
  return {
    resolve: (file, reference) => resolve(book, from ?? file, file, reference),
    isPage: isPageFile,
    indexPageOf: (folder) => paths.indexPageOf(folder),
    anchorsOfFolder: () => true,
    explainMissing: (resolution, file, reference) =>
      explainMissingChapter(paths, resolution, from ?? file, reference),
    checkAccess({ file: path, candidate, isFolder }, file, reference) {
      if (reference.kind === 'block' || /^[a-z][a-z0-9+.-]*:/i.test(reference.target)) return null;
      return checkMdbookAccess(paths, { path, candidate, isFolder, file, reference });
    },
    checkAnchor: (query) => book.anchors.check(query),
    alternativePaths: (path) => (isInside(path, paths.source) ? alternativeMarkdownPaths(path) : []),
  };
}

/** `base` is the page against whose address the link is resolved; `file` contains the link. */
function resolve(
  { paths, repository }: Book,
  base: RepoPath,
  file: RepoPath,
  reference: Reference,
): LinkResolution {
  if (reference.kind === 'block') return resolveInclude(paths, file, reference);
  const parsed = parseTarget(base, reference, repository);
  const { target } = parsed;
  if (isSummaryFile(file) && target.kind === 'invalid' && target.rule === 'empty-target') {
    return linkVerdict('ok', null); // A draft: a chapter without a page yet.
  }
  if (target.kind === 'invalid' && target.rule === 'outside-repository') {
    return linkVerdict('unchecked', 'The link leads out of the book, to what stands beside it on its host.');
  }
  if (target.kind !== 'path' || parsed.writtenPrefix !== '') return resolveParsed(base, parsed);
  const rooted = parsed.writtenPath.startsWith('/');
  const path = rooted ? paths.onHost(target.path) : target.path;
  if (path === null) {
    return linkVerdict('unchecked', 'The address is outside the book, elsewhere on its host.');
  }
  const page = paths.chapterAt(path);
  const candidates: [RepoPath, ...RepoPath[]] = page === null ? [path] : [page, path];
  return withAuthorsStyle(resolvePaths(base, parsed, candidates), parsed, paths, isSummaryFile(file));
}

/** Resolves the file of a directive, which is relative to the file that contains the directive. */
function resolveInclude({ config }: BookPaths, file: RepoPath, reference: Reference): LinkResolution {
  if (!config.includes)
    return linkVerdict('unchecked', 'The book does not use the preprocessor for includes.');
  const resolution = resolveParsed(file, parseTarget(file, reference));
  return resolution.kind === 'path' ? { ...resolution, expects: 'file' } : resolution;
}

/**
 * Writes suggestions in the author's style: from the host's root, or with `.html`, if the link was so. A table of contents
 * names files, even if they are published under another name.
 */
function withAuthorsStyle(
  resolution: PathResolution,
  parsed: ParsedTarget,
  { config, source }: BookPaths,
  namesFiles: boolean,
): PathResolution {
  const isHtml = /\.html$/.test(parsed.writtenPath);
  const rooted = parsed.writtenPath.startsWith('/');
  const { write } = resolution;
  return {
    ...resolution,
    unencoded: resolution.unencoded,
    write(path, options) {
      // The author writes addresses of pages, so a renamed chapter has its published name.
      const shown = isHtml
        ? path.replace(/\.md$/, '.html').replace(/(^|\/)README\.html$/i, '$1index.html')
        : config.renamesReadme && !namesFiles
          ? path.replace(/(^|\/)README\.md$/i, '$1index.md')
          : path;
      if (!rooted) return write(shown, options);
      if (!isInside(shown, source)) return null;
      return (config.base ?? '/') + pathInside(shown, source) + (options?.tail ?? parsed.writtenTail);
    },
  };
}
