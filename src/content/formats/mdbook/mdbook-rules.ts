import { type ParsedTarget, parseTarget } from '../../links/parse-target.ts';
import { resolveParsed, resolvePaths } from '../../links/resolve-parsed.ts';
import type { FileFacts, Reference, RepoPath, RepositoryAddress } from '../../model.ts';
import { isInside, isPageFile, isSummaryFile, pathInside } from '../../tree/page-files.ts';
import { folderOf } from '../../tree/relative-path.ts';
import { anchorsOf, haveAnchor } from '../anchor-sets.ts';
import { otherMarkdownNames } from '../github/github-rules.ts';
import { brokenFinding, type Finding, finding, type LinkRules, type PathResolution } from '../link-rules.ts';
import type { BookConfig } from './book-config.ts';

/** A book whose table of contents is read. */
export interface Book {
  readonly config: BookConfig;
  readonly source: RepoPath;
  /** Files that the table of contents lists. */
  readonly chapters: ReadonlySet<RepoPath>;
  /** Facts of the Markdown files that a chapter takes in, at any depth. */
  includedBy(chapter: RepoPath): readonly FileFacts[];
  readonly repository: RepositoryAddress | undefined;
}

/** Pages that the builder makes beside the chapters, below the book's root. */
const GENERATED = new Set(['', 'index.html', 'print.html', '404.html', 'toc.html']);

/**
 * The rules of a chapter as the book is published: `.md` becomes `.html`, other files of the source folder are copied, and
 * what the table of contents does not list is not there. `from` is the chapter whose address links are relative to,
 * where the file is only a part of it.
 */
export function mdbookRules(book: Book, from: RepoPath | null = null): LinkRules {
  const { config, source, chapters } = book;
  const indexPageOf = (folder: RepoPath) => {
    const inFolder = folder === '' ? '' : `${folder}/`;
    const names = config.renamesReadme ? ['index.md', 'README.md', 'readme.md', 'Readme.md'] : ['index.md'];
    return names.map((name) => inFolder + name).find((path) => chapters.has(path)) ?? null;
  };
  const chapterAt = (path: RepoPath): RepoPath | null => {
    if (!path.endsWith('.html')) return null;
    const page = `${path.slice(0, -5)}.md`;
    return /(?:^|\/)index\.html$/.test(path) ? (indexPageOf(folderOf(path)) ?? page) : page;
  };
  return {
    resolve(file, reference) {
      const base = from ?? file;
      const parsed = parseTarget(base, reference, book.repository);
      if (isSummaryFile(file) && parsed.target.kind === 'invalid' && parsed.target.rule === 'empty-target') {
        return finding('ok', null); // A draft: a chapter without a page yet.
      }
      if (
        parsed.target.kind === 'invalid' &&
        parsed.target.rule === 'outside-repository' &&
        reference.kind !== 'block'
      ) {
        return finding('unchecked', 'The link leads out of the book, to what stands beside it on its host.');
      }
      if (parsed.target.kind !== 'path' || parsed.writtenPrefix !== '' || reference.kind === 'block') {
        return resolveParsed(base, parsed);
      }
      const rooted = parsed.writtenPath.startsWith('/');
      const path = rooted ? pathOnHost(parsed.target.path, book) : parsed.target.path;
      if (path === null) {
        return finding('unchecked', 'The address is outside the book, elsewhere on its host.');
      }
      const page = chapterAt(path);
      const candidates: [RepoPath, ...RepoPath[]] = page === null ? [path] : [page, path];
      return withRootedWriting(resolvePaths(base, parsed, candidates), parsed, book);
    },
    isPage: isPageFile,
    indexPageOf,
    anchorsOfFolder: () => true,
    explainMissing: (resolution, file, reference) =>
      explainMissing(book, resolution, from ?? file, reference),
    objectTo({ file: path, candidate, isFolder }, file, reference) {
      if (reference.kind === 'block' || /^[a-z][a-z0-9+.-]*:/i.test(reference.target)) return null;
      return objectTo(book, { path, candidate, isFolder, file, reference });
    },
    judgeAnchor({ anchor, page, facts }) {
      if (anchor === '' || anchor === 'top') return { status: 'ok' };
      const all = [facts, ...book.includedBy(page)];
      if (haveAnchor(all, anchor)) return { status: 'ok' };
      if (all.some((one) => one.opensAnchors === true || !one.complete)) {
        return {
          status: 'unchecked',
          message: `A block of ${page} is written by a preprocessor, which may make “${anchor}”.`,
        };
      }
      return { status: 'broken', names: anchorsOf(all) };
    },
    otherNames: (path) => (isInside(path, source) ? otherMarkdownNames(path) : []),
  };
}

/** The path in the repository of an address from the host's root; null when it is known to be outside the book. */
function pathOnHost(path: string, { config, source }: Book): RepoPath | null {
  const base = (config.base ?? '/').slice(1);
  if (!`${path}/`.startsWith(base)) return null;
  const inside = path.slice(base.length);
  return source === '' ? inside : inside === '' ? source : `${source}/${inside}`;
}

/** Suggestions for an address from the host's root begin there again. */
function withRootedWriting(
  resolution: PathResolution,
  parsed: ParsedTarget,
  { config, source }: Book,
): PathResolution {
  const isHtml = /\.html$/.test(parsed.writtenPath);
  const rooted = parsed.writtenPath.startsWith('/');
  const { write } = resolution;
  return {
    ...resolution,
    unencoded: resolution.unencoded,
    write(path, options) {
      // The author writes addresses of pages, so a renamed chapter is said in the same way.
      const shown = isHtml
        ? path.replace(/\.md$/, '.html').replace(/(^|\/)README\.html$/i, '$1index.html')
        : path;
      if (!rooted) return write(shown, options);
      if (!isInside(shown, source)) return null;
      return (config.base ?? '/') + pathInside(shown, source) + (options?.tail ?? parsed.writtenTail);
    },
  };
}

function explainMissing(
  book: Book,
  { candidates }: PathResolution,
  file: RepoPath,
  { target, kind }: Reference,
): Finding | null {
  if (kind === 'block') return null;
  const { source, config, chapters } = book;
  const path = candidates.at(-1) ?? candidates[0];
  if (!isInside(path, source) && path !== source) {
    if (isPageFile(path) || (/\.[a-z0-9]+$/i.test(path) && !/\.html?$/i.test(path))) return null;
    return finding('unchecked', 'The link leads out of the book, to what stands beside it on its host.');
  }
  const inside = path === source ? '' : pathInside(path, source);
  if (GENERATED.has(inside) || config.redirects.has(inside)) return finding('ok', null);
  if (target.startsWith('/') && config.base === null && !isPageFile(path)) {
    return finding(
      'unchecked',
      'The address begins at the host’s root, and the book does not say where it stands there.',
    );
  }
  if (chapters.has(`${path}.md`) && !isSummaryFile(file)) {
    return finding('unchecked', `Some hosts show ${path}.html here, and others show nothing.`);
  }
  return null;
}

function objectTo(
  { source, chapters, config }: Book,
  place: {
    readonly path: RepoPath | null;
    readonly candidate: RepoPath;
    readonly isFolder: boolean;
    readonly file: RepoPath;
    readonly reference: Reference;
  },
): Finding | null {
  const { path, candidate, isFolder, file, reference } = place;
  const isPicture = reference.kind === 'image' || reference.kind === 'html-image';
  if (isFolder) return objectToFolder(source, path, candidate);
  if (path === null) return null;
  if (chapters.has(candidate) || chapters.has(path)) {
    const readme = /(?:^|\/)readme\.md$/i.test(reference.target.replace(/[?#][\s\S]*$/, ''));
    if (!readme || !config.renamesReadme || isSummaryFile(file)) return null;
    const suggestion = reference.target.replace(/readme\.md(?=[?#]|$)/i, 'index.md');
    const message = `mdBook publishes ${path} as index.html, and this link becomes README.html, which is not there.`;
    return brokenFinding('missing-page', message, suggestion);
  }
  if (!isInside(path, source)) {
    if (isPicture)
      return brokenFinding(
        'outside-space',
        `${path} is outside the book’s folder ${source}, so readers do not get it.`,
      );
    if (!isPageFile(path)) return null;
    return brokenFinding(
      'outside-space',
      `${path} is there, but it is outside the book, so readers do not get to it.`,
    );
  }
  if (!isPageFile(path) || path === file) return null;
  const message = isSummaryFile(path)
    ? `${path} is the table of contents, which is not published as a page.`
    : `${path} is there, but SUMMARY.md does not list it, so it is not published.`;
  return brokenFinding('unlisted-page', message);
}

function objectToFolder(source: RepoPath, page: RepoPath | null, folder: RepoPath): Finding | null {
  if (page !== null || folder === source || !isInside(folder, source)) return null;
  return brokenFinding(
    'missing-page',
    `${folder} is a folder without an index page, so nothing is published there.`,
  );
}
