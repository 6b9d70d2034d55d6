import {
  brokenVerdict,
  generatedVerdict,
  type LinkVerdict,
  linkVerdict,
  type PathResolution,
} from '../../format-port/index.ts';
import type { Reference, RepoPath } from '../../model/index.ts';
import { isInside, isPageFile, isSummaryFile } from '../../tree/index.ts';
import type { BookPaths } from './book-paths.ts';

/**
 * Returns a verdict on a missing target that is valid or cannot be checked; null for other targets. `file` contains the
 * link.
 */
export function explainMissingChapter(
  book: BookPaths,
  { candidates }: PathResolution,
  file: RepoPath,
  { target, kind }: Reference,
): LinkVerdict | null {
  if (kind === 'block') return null;
  const { config, chapters } = book;
  const path = candidates.at(-1) ?? candidates[0];
  const [written = ''] = target.split('#');
  const isImage = kind === 'image' || kind === 'html-image';
  if (
    config.ownPreprocessor !== null &&
    !isImage &&
    !written.includes('/') &&
    !/\.(?:md|html?)$/i.test(written)
  ) {
    return generatedVerdict(
      `There is no ${path}, and the preprocessor “${config.ownPreprocessor}” may lead the link elsewhere.`,
    );
  }
  const inside = book.inside(path);
  if (config.ownOutput !== null && inside !== null && !/\.(?:md|html?)$/i.test(path) && !isImage) {
    return generatedVerdict(`There is no ${path}, and the book’s output “${config.ownOutput}” may make it.`);
  }
  if (inside === null) {
    // The builder writes `.html` in the place of `.md`, also in links out of the book.
    const isHtml = /\.html?$/i.test(path) || !/\.[a-z0-9]+$/i.test(path);
    if (isPageFile(path) ? isChapterName(book, path) : !isHtml) return null;
    return linkVerdict('unchecked', 'The link leads out of the book, to what stands beside it on its host.');
  }
  // The builder writes `.html` in the place of `.md`, so such a link leads to the redirect, too.
  const published = kind === 'link' || kind === 'definition' ? inside.replace(/\.md$/, '.html') : inside;
  if ([inside, published].some((name) => config.generated.has(name) || config.redirects.has(name)))
    return linkVerdict('ok', null);
  if (target.startsWith('/') && config.base === null && !isPageFile(path)) {
    return linkVerdict(
      'unchecked',
      'The address begins at the host’s root, and the book does not say where it stands there.',
    );
  }
  if (chapters.has(`${path}.md`) && !isSummaryFile(file)) {
    return linkVerdict('unchecked', `Some hosts show ${path}.html here, and others show nothing.`);
  }
  return null;
}

/** Whether the book's root has a chapter of this file's name, which is probably meant. */
function isChapterName({ chapters, source }: BookPaths, path: RepoPath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return chapters.has(source === '' ? name : `${source}/${name}`);
}

/** Why readers cannot reach a file that exists. */
export function checkMdbookAccess(
  book: BookPaths,
  target: {
    readonly path: RepoPath | null;
    readonly candidate: RepoPath;
    readonly isFolder: boolean;
    readonly file: RepoPath;
    readonly reference: Reference;
  },
): LinkVerdict | null {
  const { source, chapters, config } = book;
  const { path, candidate, isFolder, file, reference } = target;
  const isPicture = reference.kind === 'image' || reference.kind === 'html-image';
  if (isFolder) return checkFolderAccess(source, path, candidate);
  if (path === null) return null;
  if (chapters.has(candidate) || chapters.has(path)) {
    const readme = /(?:^|\/)readme\.md$/i.test(reference.target.replace(/[?#][\s\S]*$/, ''));
    if (!readme || !config.renamesReadme || isSummaryFile(file)) return null;
    const suggestion = reference.target.replace(/readme\.md(?=[?#]|$)/i, 'index.md');
    const message = `mdBook publishes ${path} as index.html, and this link becomes README.html, which is not there.`;
    return brokenVerdict('missing-page', message, suggestion);
  }
  // The builder copies what a symbolic link in the book leads to.
  if (!isInside(path, source) && !isInside(candidate, source)) {
    if (isPicture)
      return brokenVerdict(
        'outside-space',
        `${path} is outside the book’s folder ${source}, so readers do not get it.`,
      );
    if (!isPageFile(path)) return null;
    return brokenVerdict(
      'outside-space',
      `${path} is there, but it is outside the book, so readers do not get to it.`,
    );
  }
  // Files with any other extension are copied as they are.
  if (!path.endsWith('.md') || path === file || book.isNotFound(path)) return null;
  const address = (book.inside(path) ?? '').replace(/\.md$/, '.html');
  if (config.redirects.has(address) || config.generated.has(address)) return null;
  const message = isSummaryFile(path)
    ? `${path} is the table of contents, which is not published as a page.`
    : `${path} is there, but SUMMARY.md does not list it, so it is not published.`;
  return brokenVerdict('unlisted-page', message);
}

function checkFolderAccess(source: RepoPath, page: RepoPath | null, folder: RepoPath): LinkVerdict | null {
  if (page !== null || folder === source || !isInside(folder, source)) return null;
  return brokenVerdict(
    'missing-page',
    `${folder} is a folder without an index page, so nothing is published there.`,
  );
}
