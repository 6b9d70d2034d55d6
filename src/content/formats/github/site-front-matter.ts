import { type FilesRead, generatedVerdict, type LinkRules, linkVerdict } from '../../format-port/index.ts';
import type { FileFacts, RepoPath } from '../../model/index.ts';
import { folderOf, isHostFile, isInside, isPageFile, isReadme, type TreeIndex } from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';
import { alternativeMarkdownPaths } from './github-rules.ts';
import type { NavigatedFolder } from './site-navigation.ts';

/** Settings of pages that only builders of sites read; the repository's host shows them as a table. */
const SETTINGS: ReadonlySet<string> = new Set([
  'title',
  'slug',
  'permalink',
  'layout',
  'sidebar_position',
  'sidebar_label',
  'sidebar_title',
  'sidebarTitle',
  'nav_order',
  'weight',
  'hide_title',
  'hide_table_of_contents',
  'pagination_next',
  'pagination_prev',
  'redirect_from',
  'aliases',
  'seo',
  'headless',
  'linkTitle',
  'menuTitle',
  'nav_exclude',
  'has_children',
  'nav',
  // Of the Terraform registry.
  'page_title',
  'subcategory',
]);

/** READMEs are shown in each folder; `CONTRIBUTING.md` and the like at the top, in `docs` and in `.github`. */
function isShownByHost(file: RepoPath): boolean {
  return isHostFile(file) && (isReadme(file) || /^(?:docs|\.github)?$/.test(folderOf(file)));
}

/**
 * Whether a page's front matter shows that a site publishes it, whose builder this repository does not hold: another
 * repository may fetch it. READMEs and the like are written for the repository's host; but a `contributing.md` in small
 * letters that chooses a layout is a page of the site, and a README below the top with such front matter is the first page
 * of a folder of it.
 */
export function isWrittenForSite(file: RepoPath, frontMatter: FileFacts['frontMatter'] | undefined): boolean {
  if (frontMatter === undefined) return false;
  const isNamedAsPage = isReadme(file)
    ? folderOf(file) !== ''
    : /(?:^|\/)[a-z._-]+$/.test(file) && 'layout' in frontMatter;
  if (isShownByHost(file) && !isNamedAsPage) return false;
  return Object.keys(frontMatter).some((key) => SETTINGS.has(key));
}

/** Whether a page links to what a program makes of the pages beside it: `guide.html`, where there is a `guide.md`. */
function linksToMadePages(file: RepoPath, facts: FileFacts | undefined, files: FilesRead): boolean {
  if (facts === undefined || isShownByHost(file)) return false;
  return facts.references.some(({ target }) => {
    const [, stem] = /^(?:\.\/)?([\w-]{1,100})\.html(?:#|$)/.exec(target) ?? [];
    if (stem === undefined) return false;
    const beside = joinPath(folderOf(file), stem);
    return files.file(`${beside}.html`) === null && files.file(`${beside}.md`) !== null;
  });
}

/** What whoever publishes a page, or writes one from a template, replaces in it: `{{version}}`, `<name>`, `${name}`, `%%NAME%%`. */
const PLACEHOLDER =
  /\$?\{\{[^{}]{1,100}\}\}|(?<=\S)\$\{[^{}]{1,100}\}|<[A-Za-z][\w .-]{0,100}>|%%[A-Z][A-Z\d_-]{1,100}%%/;

/** By the facts of pages: each of their links that is missing asks again. */
const placeholders = new WeakMap<FileFacts, boolean>();

/** Whether a page has links with `{{version}}`, which nothing on the repository's host replaces. */
function hasPlaceholders(facts: FileFacts | undefined): boolean {
  if (facts === undefined) return false;
  const known =
    placeholders.get(facts) ?? facts.references.some(({ target }) => /\{\{[^{}]{1,100}\}\}/.test(target));
  placeholders.set(facts, known);
  return known;
}

/** Folders with fewer pages are decided by each page alone. */
const MIN_PAGES = 3;

/** As many pages that link to what a program makes show that it reads their folder, however many others are there. */
const MADE_PAGES = 5;

/** Whether more than half of the pages of a folder around a file are written for a site, so that the file may be, too. */
function isInSiteFolder(file: RepoPath, files: FilesRead): boolean {
  if (isShownByHost(file)) return false;
  const pages = files.table<'site' | 'made' | 'host'>('pages of sites', function* ({ path }) {
    if (!isPageFile(path)) return;
    const facts = files.facts(path);
    if (isWrittenForSite(path, facts?.frontMatter)) yield [folderOf(path), 'site'];
    else yield [folderOf(path), linksToMadePages(path, facts, files) ? 'made' : 'host'];
  });
  for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) {
    const rows = pages.rows(folder);
    const written = rows.filter(({ value }) => value !== 'host').length;
    if (rows.length >= MIN_PAGES && written * 2 > rows.length) return true;
    if (rows.filter(({ value }) => value === 'made').length >= MADE_PAGES) return true;
  }
  return false;
}

/** As many names of pages in other folders show that what publishes a page finds others by their names. */
const MIN_NAMES = 8;

/** The first names of a page suffice: all of them would be looked up again for each of its links. */
const MAX_NAMES = 200;

/** How many times as many names must be those of pages elsewhere as of files beside the page. */
const NAME_RATIO = 4;

/** Whether nearly all names of Markdown files to which a page links, as if they were beside it, are those of pages elsewhere. */
function linksByNames(file: RepoPath, files: FilesRead, index: TreeIndex): boolean {
  const names = files.table<string | null>('names of pages elsewhere', function* ({ path }) {
    if (!isPageFile(path)) return;
    const written = (files.facts(path)?.references ?? []).flatMap(
      ({ target }) => /^([\w.-]{1,200}\.md)(?:#|$)/.exec(target)?.[1] ?? [],
    );
    for (const name of [...new Set(written)].slice(0, MAX_NAMES))
      yield [path, files.file(joinPath(folderOf(path), name)) === null ? name : null];
  });
  const rows = names.rows(file).map(({ value }) => value);
  if (rows.length < MIN_NAMES) return false;
  const beside = rows.filter((name) => name === null).length;
  const elsewhere = rows.filter((name) => name !== null && index.named(name).length === 1).length;
  return elsewhere >= MIN_NAMES && elsewhere >= beside * NAME_RATIO;
}

/** The path of an address rather than of a file: without an extension, or that of a made page. */
const ADDRESS = /^[^?#]*?(?:\.html?|\/|(?:^|\/)[^/.?#]+)(?:[?#]|$)/;

/**
 * Rules under which what is missing is judged as in pages of a site, where a file is in a folder of such pages: most of them
 * are written for a site, or a file lists them for a program (`navigated`). Of a README, which people read on the repository's
 * host, too, only the addresses of such pages are. Elsewhere a missing path is unchecked if it names a page that is written
 * for a site: it may be its address. So is a destination that has a placeholder, which shows a site as well.
 */
export function withSiteAddresses(
  rules: LinkRules,
  ofSite: () => LinkRules,
  {
    files,
    navigated,
    index,
  }: {
    readonly files: FilesRead;
    readonly navigated: readonly NavigatedFolder[];
    readonly index: TreeIndex;
  },
): LinkRules {
  const navigationOf = (file: RepoPath) => navigated.find(({ folder }) => isInside(file, folder));
  const isOfSite = (file: RepoPath) =>
    !isShownByHost(file) &&
    (navigationOf(file) !== undefined || isInSiteFolder(file, files) || linksByNames(file, files, index));
  return {
    ...rules,
    resolve(file, reference) {
      const placeholder = isShownByHost(file) ? undefined : PLACEHOLDER.exec(reference.target)?.[0];
      if (placeholder === undefined) return rules.resolve(file, reference);
      return linkVerdict(
        'unchecked',
        `Whoever publishes this page, or writes another by it, replaces ${placeholder}.`,
      );
    },
    explainMissing(resolution, file, reference) {
      const own = rules.explainMissing?.(resolution, file, reference) ?? null;
      if (own !== null) return own;
      const source = navigationOf(file)?.source;
      if (isShownByHost(file)) {
        if (source === undefined || !ADDRESS.test(reference.target)) return null;
        const page = resolution.candidates
          .flatMap(alternativeMarkdownPaths)
          .find((path) => files.file(path) !== null);
        if (page === undefined && !reference.target.startsWith('/')) return null;
        return generatedVerdict(
          `${source} lists pages for what publishes them, and ${page ?? 'one of them'} may have this address.`,
        );
      }
      for (const path of resolution.candidates.flatMap(alternativeMarkdownPaths)) {
        if (!isWrittenForSite(path, files.facts(path)?.frontMatter)) continue;
        return generatedVerdict(`${path} is written for a site, where it may have this address.`);
      }
      if (!isOfSite(file) && !hasPlaceholders(files.facts(file))) return null;
      const resolved = ofSite().resolve(file, reference);
      return resolved.kind === 'verdict'
        ? resolved
        : (ofSite().explainMissing?.(resolution, file, reference) ?? null);
    },
    checkAnchor(query) {
      const checked = rules.checkAnchor(query);
      return checked.status === 'broken' && isOfSite(query.file) ? ofSite().checkAnchor(query) : checked;
    },
  };
}
