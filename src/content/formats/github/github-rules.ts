import { generatedVerdict, type LinkRules, type LinkVerdict, linkVerdict } from '../../format-port/index.ts';
import { anchorNames, explainWrittenName, hasAnchor, parseTarget, resolveParsed } from '../../links/index.ts';
import type { Reference, RepoPath, RepositoryAddress, TreeEntry } from '../../model/index.ts';
import {
  folderOf,
  indexRank,
  isHostFile,
  isInside,
  isPageFile,
  isReadme,
  isSummaryFile,
  pathInside,
  type TreeIndex,
} from '../../tree/index.ts';
import { joinPath } from '../folder-paths.ts';

/**
 * The rules of a file as GitHub shows it: a path is a path of the repository, whatever a builder publishes. Formats use
 * them for the files that their builder leaves out.
 */
export function githubRules(
  tree: readonly TreeEntry[],
  repository: RepositoryAddress | undefined,
): LinkRules {
  const indexPageOf = (folder: RepoPath) => indexPages(tree).get(folder) ?? null;
  return {
    resolve: (file, reference) =>
      explainEmpty(file, reference) ?? resolveParsed(file, parseTarget(file, reference, repository)),
    isPage: isPageFile,
    indexPageOf,
    // GitHub shows a folder's README below the list of files, but no other index file.
    anchorsOfFolder: (folder) => isReadme(indexPageOf(folder)),
    checkAnchor({ facts, anchor, page }) {
      if (hasAnchor(facts, anchor)) return { status: 'ok' };
      if (facts.opensAnchors === true) {
        const message = `A script fills a part of ${page}, which is empty in the repository, and may make “${anchor}” there.`;
        return { status: 'unchecked', message, knownNames: anchorNames(facts) };
      }
      // The host adds the prefix to ids; whether also to those that have it is not documented.
      if (hasAnchor(facts, `user-content-${anchor}`)) {
        const message = `${page} has the id “user-content-${anchor}”, to which “#${anchor}” may lead.`;
        return { status: 'unchecked', message, knownNames: anchorNames(facts) };
      }
      const written = isHostFile(page) ? null : explainWrittenName(facts, anchor);
      return written ?? { status: 'broken', names: anchorNames(facts) };
    },
    alternativePaths: alternativeMarkdownPaths,
  };
}

/** The text of a link without a destination that names one for a program: `[concept:python/lists]()`. */
const NAMED_BY_TEXT = /^[a-z]{2,30}:[\w-]+(?:\/[\w-]+)+$/;

/** The verdict on a link without a destination that is not broken; null for every other. */
function explainEmpty(file: RepoPath, { target, text }: Reference): LinkVerdict | null {
  if (target.trim() !== '') return null;
  if (TEMPLATE.test(file))
    return linkVerdict('unchecked', `${file} is a template, in which destinations are left open.`);
  if (isSummaryFile(file))
    return linkVerdict(
      'unchecked',
      'In a table of contents, a chapter without a destination has no page yet.',
    );
  return NAMED_BY_TEXT.test(text.trim())
    ? linkVerdict('unchecked', `${text.trim()} names a page for what publishes this one.`)
    : null;
}

/**
 * The rules of files that somebody may publish besides the host, as all but READMEs and the like: `/guide/part` is an address
 * of a site where the repository has no folder `guide`. Beside the spaces of a repository, from which a program may take the
 * text into one of them, `guide.html` without a Markdown file is an address, too.
 */
export function publishedRules(
  host: LinkRules,
  index: TreeIndex,
  { isBeside, sites }: { readonly isBeside: boolean; readonly sites: readonly RepoPath[] },
): LinkRules {
  return {
    ...host,
    explainMissing(resolution, file, reference) {
      const isImage = reference.kind === 'image' || reference.kind === 'html-image';
      const isOfHost = isImage || isHostFile(file);
      const path = resolution.candidates[0];
      const isCrate = isOfCrate(file, index);
      const code = isImage || (isHostFile(file) && !isCrate) ? null : explainCodeName(reference);
      if (code !== null) return code;
      if (isCrate && !isImage && CRATE_NAME.test(reference.target.trim())) {
        return generatedVerdict(`${reference.target} may name code, which rustdoc finds.`);
      }
      const ofProgram = explainTextOfProgram(file, path);
      if (ofProgram !== null) return ofProgram;
      const ofBook = explainContentsOfBook(file, path, index);
      if (ofBook !== null) return ofBook;
      const ofTemplate = explainTemplate(file, reference.target) ?? explainProcessed(path, index);
      if (ofTemplate !== null) return ofTemplate;
      if (isImage && !isHostFile(file) && hasPublicFile(reference, index)) {
        return generatedVerdict(
          `A folder of files for readers holds ${reference.target}, for what publishes them.`,
        );
      }
      const made =
        isOfHost || !isBeside
          ? null
          : (explainMissingHtml(path, index) ?? explainTakenIn(file, reference, { index, sites }));
      // A README of an example, or what is said of contributing in a folder, may be shown on a site, as its addresses say.
      const isTwice = isReadme(file) ? isBeside : isHostFile(file);
      // Sites often take the changelog in.
      const isTaken = folderOf(file) !== '' || (isBeside && CHANGELOG.test(file));
      const folder = isHostFile(file) ? null : folderWithEnding(path, index);
      if (folder !== null)
        return generatedVerdict(`What publishes ${file} may show the files of ${folder} at ${path}.`);
      const isShownTwice = isTwice && !isImage && isTaken;
      const own =
        made ??
        (isOfHost && !(isShownTwice && !/\.\w+$/.test(path))
          ? null
          : explainSiteAddress(file, path, reference, { index, isBeside: isBeside || isShownTwice, sites }));
      return own ?? host.explainMissing?.(resolution, file, reference) ?? null;
    },
    checkAnchor(query) {
      const checked = host.checkAnchor(query);
      if (checked.status !== 'broken' || !query.reference.target.trim().startsWith('/#')) return checked;
      const message = '/ is the address of the first page of a site, which is not known here.';
      return { status: 'unchecked', message, knownNames: anchorNames(query.facts) };
    },
  };
}

/** The verdict on an entry of a book's table of contents that is above the folder of the chapters, where no mdBook reads it. */
function explainContentsOfBook(file: RepoPath, path: RepoPath, index: TreeIndex): LinkVerdict | null {
  const folder = folderOf(file);
  if (!isSummaryFile(file) || index.entry(joinPath(folder, 'book.toml')) === undefined) return null;
  if (!isInside(path, folder)) return null;
  const tail = `/${pathInside(path, folder)}`;
  const chapter = index
    .named(path.slice(path.lastIndexOf('/') + 1))
    .find((candidate) => isInside(candidate, folder) && candidate.endsWith(tail));
  return chapter === undefined
    ? null
    : generatedVerdict(`There is no ${path}, and what builds the book may read ${chapter} for it.`);
}

const CHANGELOG = /^(?:CHANGELOG|CHANGES|HISTORY)\b/i;

/** Whether a README is that of a package of Rust, whose documentation often includes it. */
function isOfCrate(file: RepoPath, index: TreeIndex): boolean {
  return isReadme(file) && index.entry(joinPath(folderOf(file), 'Cargo.toml')) !== undefined;
}

/** Whether a page is among the sources of a package of Rust, whose documentation includes it. */
export function isPartOfCrate(file: RepoPath, index: TreeIndex): boolean {
  if (isHostFile(file)) return false;
  for (const { index: at } of file.matchAll(/(?:^|\/)src\//g)) {
    if (index.entry(joinPath(file.slice(0, at), 'Cargo.toml')) !== undefined) return true;
  }
  return false;
}

/** A name of what a README of a crate is about, which rustdoc finds, or an address of its pages. */
const CRATE_NAME =
  /^(?:[A-Za-z_]\w*(?:#[\w.-]*)?|(?:[\w-]+\/)*(?:(?:struct|trait|enum|fn|macro|mod|type|derive|attr|union|constant|static)\.\w+|index)\.html(?:#[\w.-]*)?)$/;

/** Whether a folder whose files builders publish at the root holds a picture. */
function hasPublicFile({ target }: Reference, index: TreeIndex): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  if (!/^\/[^/]/.test(path)) return false;
  const files = index.named(path.slice(path.lastIndexOf('/') + 1));
  return files.some((file) => file.endsWith(`/public${path}`) || file.endsWith(`/static${path}`));
}

/** A folder that has the missing file if its name's ending is left out: `demo.view/index.html` for `demo/index.html`. */
function folderWithEnding(path: RepoPath, index: TreeIndex): RepoPath | null {
  const names = path.split('/');
  const found = index.named(names.at(-1) ?? '').find((file) => {
    const others = file.split('/');
    return (
      others.length === names.length &&
      others.every((name, at) => name === names[at] || name.replace(/\.[a-z]+$/, '') === names[at])
    );
  });
  return found === undefined ? null : folderOf(found);
}

/** The verdict on a path that leads to a file once the page is among those of a site, which may take it in. */
function explainTakenIn(
  file: RepoPath,
  { target }: Reference,
  { index, sites }: { readonly index: TreeIndex; readonly sites: readonly RepoPath[] },
): LinkVerdict | null {
  const tail = /^(?:\.{1,2}\/)+([^?#]+\/[^?#]+?\.\w+)(?:[?#]|$)/.exec(target)?.[1];
  if (tail === undefined) return null;
  const site = sites.find(
    (folder) => !isInside(file, folder) && index.entry(joinPath(folder, tail)) !== undefined,
  );
  return site === undefined
    ? null
    : generatedVerdict(`${joinPath(site, tail)} is there, and what publishes ${site} may take ${file} in.`);
}

/** A file that people copy, or of which a program makes another, with destinations to replace. */
const TEMPLATE =
  /(?:^|\/)(?:(?:[\w.-]*[-_.])?template_{0,2}|template[-_.][\w.-]*|[\w.-]+\.(?:src|tmpl|tpl|example|sample))\.(?:md|markdown)$/i;

/** The verdict on a missing path in such a file. */
export function explainTemplate(file: RepoPath, target: string): LinkVerdict | null {
  return TEMPLATE.test(file)
    ? generatedVerdict(`${file} is a template, and whoever uses it replaces ${target}.`)
    : null;
}

/** What stands in the name of Markdown of which a program makes the page of the name without it. */
const PROCESSED = [
  '.m4',
  '.pp',
  '.gpp',
  '.src',
  '.in',
  '.tmpl',
  '.tpl',
  '.template',
  '.j2',
  '.jinja',
  '.erb',
  '.ejs',
  '.hbs',
];

/** The verdict on a missing page that a program makes of another file: of `guide.m4.md` or `guide.md.j2`, in whichever folder. */
function explainProcessed(path: RepoPath, index: TreeIndex): LinkVerdict | null {
  const [, stem] = /^(.+)\.md$/i.exec(path) ?? [];
  if (stem === undefined) return null;
  const beside = PROCESSED.flatMap((ending) => [`${stem}${ending}.md`, `${stem}.md${ending}`]);
  const name = stem.slice(stem.lastIndexOf('/') + 1);
  const source =
    beside.find((candidate) => index.entry(candidate) !== undefined) ??
    // Such manuals are published in a place of their own.
    ['.m4', '.pp', '.gpp'].flatMap((ending) => index.named(`${name}${ending}.md`))[0];
  return source === undefined ? null : generatedVerdict(`A program makes ${name}.md of ${source}.`);
}

/** A folder with what programs make new projects of, and the data of a program below its sources. */
const TEMPLATE_FOLDER =
  /^(?:.*\/)?(?:(?:[\w.-]*[-_])?templates?|boilerplates?|skeletons?|scaffold(?:ing|s)?|cookiecutters?|archetypes?)\//i;
const DATA_FOLDER =
  /(?:^|\/)(?:src|lib|app|internal|pkg|cmd|sources?)\/(?:[^/]+\/)*(?:examples?|samples?|data|prompts?|resources|assets|mocks?|stubs?|static|public)\//i;
const DOCUMENTATION_FOLDER = /(?:^|\/)(?:docs?|documentation|content|website|guides?)\//i;

/** The verdict on a missing path in what a program copies, or reads as its data: it may be there when the program has run. */
export function explainTextOfProgram(file: RepoPath, path: RepoPath): LinkVerdict | null {
  const [template] = TEMPLATE_FOLDER.exec(file) ?? [];
  if (template !== undefined && !DOCUMENTATION_FOLDER.test(file) && path.startsWith(template)) {
    return generatedVerdict(
      `${template.slice(0, -1)} holds templates, and what is made of them may have ${path}.`,
    );
  }
  if (/(?:^|\/)RDOC[^/]*$/.test(file))
    return generatedVerdict(`RDoc shows ${file}, and makes ${path} of other files.`);
  if (isHostFile(file) || !DATA_FOLDER.test(file) || DOCUMENTATION_FOLDER.test(file)) return null;
  return generatedVerdict(`${file} is data of a program, which may show it anywhere.`);
}

/** A name of what is documented, as rustdoc, ExDoc and others write it: `crate::Part`, `` `Mod.run/2` ``. */
const CODE_NAME = /^(?:`[^`]+`|(?:[a-z]+@)?\w+(?:::[\w!]+(?:\(\))?)+)$/;

/** The verdict on a name of code in the place of a destination: what shows the text as documentation of code finds it. */
export function explainCodeName({ target }: Reference): LinkVerdict | null {
  const written = target.trim().replace(/#[\w-]*$/, '');
  if (!CODE_NAME.test(written)) return null;
  return linkVerdict(
    'unchecked',
    `${written} may name code, which what publishes the documentation of the code finds.`,
  );
}

/** The verdict on a missing `.html` for which there is no Markdown file. */
export function explainMissingHtml(path: RepoPath, index: TreeIndex): LinkVerdict | null {
  if (!/\.html?$/i.test(path)) return null;
  if (alternativeMarkdownPaths(path).some((candidate) => index.entry(candidate) !== undefined)) return null;
  return generatedVerdict(
    `${path} is the address of a published page, and nothing here says who publishes it.`,
  );
}

/**
 * The verdict on an address from the root that names no Markdown file, in no folder at the repository's top; `isBeside`
 * whether it may also be such a folder itself. One that begins
 * with a folder in which a site is (`sites`) may be an address of that site.
 */
function explainSiteAddress(
  file: RepoPath,
  path: RepoPath,
  { target }: Reference,
  {
    index,
    isBeside,
    sites,
  }: { readonly index: TreeIndex; readonly isBeside: boolean; readonly sites: readonly RepoPath[] },
): LinkVerdict | null {
  if (!target.startsWith('/') || /\.(?:md|markdown|mdx)$/i.test(path)) return null;
  const shown = shownFolder(file, path, index);
  if (shown !== null) return generatedVerdict(`${target} may be the address of ${shown}.`);
  const [top = ''] = path.split('/', 1);
  if (
    top !== path &&
    !/\.\w+$/.test(path) &&
    sites.some((folder) => folder === top || isInside(folder, top))
  ) {
    return generatedVerdict(`${target} may be an address of the site in ${top}.`);
  }
  if (top === '') return null;
  if (index.isFolder(top)) {
    const beside = top === path || /\.\w+$/.test(path) ? null : pageBeside(file, path, index);
    return beside === null ? null : generatedVerdict(`${target} may be the address of ${beside} on a site.`);
  }
  if (top === path && (!isBeside || path.includes('.'))) return null;
  return generatedVerdict(`${target} may be an address of a site: the repository has no folder ${top}.`);
}

/** The first page of a folder that an address from the root leads to, where the root is a folder around the page. */
function shownFolder(file: RepoPath, path: RepoPath, index: TreeIndex): RepoPath | null {
  if (path === '') return null;
  for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) {
    const page = joinPath(joinPath(folder, path), 'index.html');
    if (index.entry(page) !== undefined) return page;
  }
  return null;
}

/** The page beside this one that has the last name of an address, which adds parts such as a version before it. */
function pageBeside(file: RepoPath, path: RepoPath, index: TreeIndex): RepoPath | null {
  const page = joinPath(folderOf(file), path.slice(path.lastIndexOf('/') + 1));
  if (page === path || index.isFolder(folderOf(path))) return null;
  return alternativeMarkdownPaths(page).find((candidate) => index.entry(candidate) !== undefined) ?? null;
}

/** Files to which a path may refer that has no extension, `.html`, or another extension of Markdown. */
export function alternativeMarkdownPaths(path: RepoPath): readonly RepoPath[] {
  if (path === '') return [];
  if (/\.md$/i.test(path)) {
    return [path.replace(/\.md$/i, '.markdown'), path.replace(/\.md$/i, '/README.md')];
  }
  const stem = path.replace(/\.html?$/i, '');
  const names = [`${stem}.md`, `${stem}.markdown`];
  return stem === path ? names : [...names, `${stem}/README.md`];
}

const indexPagesOf = new WeakMap<readonly TreeEntry[], ReadonlyMap<RepoPath, RepoPath>>();

function indexPages(tree: readonly TreeEntry[]): ReadonlyMap<RepoPath, RepoPath> {
  let pages = indexPagesOf.get(tree);
  if (pages === undefined) {
    pages = bestIndexFiles(tree.filter((entry) => entry.mode !== 'submodule').map((entry) => entry.path));
    indexPagesOf.set(tree, pages);
  }
  return pages;
}

/** Folder → its README or index file. */
export function bestIndexFiles(paths: Iterable<RepoPath>): Map<RepoPath, RepoPath> {
  const best = new Map<RepoPath, RepoPath>();
  for (const path of paths) {
    const rank = indexRank(path);
    if (rank === null) continue;
    const folder = folderOf(path);
    const known = best.get(folder);
    if (known === undefined || rank < (indexRank(known) ?? 9)) best.set(folder, path);
  }
  return best;
}
