import type { FileProblem, Link, RepoPath, SpaceAnalysis } from '../model/index.ts';
import { folderOf, isHostFile, isReadme } from '../tree/index.ts';
import { brokenListsOf, linkListsOf, withLists } from './analysis-of-state.ts';
import { findHeadingsBeside } from './headings-beside.ts';
import {
  HEADINGS_ALIKE,
  HEADINGS_BESIDE,
  isAlikeHeading,
  isHostPath,
  isOfHost,
  type LinkShape,
  shapeOfAlias,
  shapeOfFragment,
  shapeOfPath,
  shapesAgainst,
  shapesOfNaming,
} from './link-shapes.ts';
import type { Steps } from './steps.ts';

/**
 * What the links of a space that lead nowhere, and those that lead somewhere, show of how its pages are meant: a shape of
 * links of which most lead nowhere, such as `[x](/guides)` on a hundred pages, is a convention of whatever publishes them,
 * which is not known here, rather than a hundred mistakes.
 */
interface Conventions {
  /** By the words of a shape. */
  readonly shapes: ReadonlyMap<string, Group>;
  /** Whether the fragment of a broken link is that of a page beside its own. */
  readonly isBeside: (link: Link) => Steps<boolean>;
  /** Counts what leads somewhere into `shapes`, too, and only once: most trees have no broken link that asks. */
  readonly countFound: () => Steps<Counted>;
}

/** By folders and files. */
interface Counted {
  /** How many relative paths of Markdown files lead somewhere, as on the repository's host. */
  readonly hostPaths: ReadonlyMap<string, number>;
  /** By the pages' own folders: how many more addresses from the root are unchecked, as those of a site, than such paths allow. */
  readonly siteAddresses: ReadonlyMap<string, number>;
  /** By the first name of addresses from the root: how many more are unchecked than the repository's own paths allow. */
  readonly siteTops: ReadonlyMap<string, number>;
  /** The folders of pages for which the root is not the repository's: nearly all that they link to from there is missing. */
  readonly elsewhere: ReadonlySet<RepoPath>;
}

interface Analysed {
  readonly analysis: SpaceAnalysis;
}

/** The links of one shape. */
interface Group {
  readonly shape: LinkShape;
  /** By folders and files. */
  readonly scopes: Map<string, Scope>;
}

/** Those of one shape in a folder or file, each once. */
interface Scope {
  readonly missing: Set<string>;
  readonly found: Set<string>;
}

/** Fewer links that lead nowhere may be as many mistakes. */
const MIN_MISSING = 5;

/** Fewer links of a file or a folder say too little of what it is written for; the folder above has more. */
const MIN_EVIDENCE = 5;

/** One address that leads nowhere may be a mistake, whatever else the pages link to. */
const MIN_ADDRESSES = 2;

/** Deeper folders count as a part of the one at this depth. */
const MAX_DEPTH = 6;

/** Where the pages of a folder have so many addresses of a site, a single one that leads nowhere may be another. */
const MIN_SITE_ADDRESSES = 10;

/** Where the pages of a space have so many addresses of a site that begin alike, others that do are addresses of it, too. */
const MIN_TOPS = 100;

/** A path of a Markdown file that leads somewhere stands against so many addresses. */
const SITE_RATIO = 4;

/** Those of a space that has none, whose links stay as they are. */
const NONE = null;

/** The analysis with its strict verdicts, of one in which conventions are unchecked. */
const strictOf = new WeakMap<SpaceAnalysis, SpaceAnalysis>();
const conventions = new WeakMap<SpaceAnalysis, { readonly found: Conventions | null }>();
/** The broken links, of those that are unchecked. */
const brokenOf = new WeakMap<Link, Link>();

/** Leaves the links unchecked that follow a convention of their space. */
export function* withConventions(strict: SpaceAnalysis): Steps<SpaceAnalysis> {
  return yield* uncheck(strict, yield* conventionsIn(strict));
}

/**
 * Both sides of a comparison with the conventions of the base: links of one kind that a change adds are its mistakes, however
 * many there are. A space that only one side has is strict, so that links of a moved folder are found on both sides.
 */
export function* shareConventions<Part extends Analysed>(
  base: readonly Part[],
  head: readonly Part[],
): Steps<{ readonly base: readonly Part[]; readonly head: readonly Part[] }> {
  const newer = new Set(head.map(keyOfSpace));
  const known = new Map<string, Conventions | null>();
  for (const part of base) {
    const key = keyOfSpace(part);
    known.set(key, newer.has(key) ? yield* conventionsIn(strictIn(part.analysis)) : NONE);
  }
  return { base: yield* share(base, known), head: yield* share(head, known) };
}

function* share<Part extends Analysed>(
  parts: readonly Part[],
  known: ReadonlyMap<string, Conventions | null>,
): Steps<readonly Part[]> {
  const shared: Part[] = [];
  for (const part of parts) {
    const strict = strictIn(part.analysis);
    const found = known.get(keyOfSpace(part)) ?? NONE;
    const isSame = strict === part.analysis && found === NONE;
    shared.push(isSame ? part : { ...part, analysis: yield* uncheck(strict, found) });
  }
  return shared;
}

/** Returns the broken link that was left unchecked as part of a convention; null for other links. */
export function brokenWithoutConventions(link: Link): Link | null {
  return brokenOf.get(link) ?? null;
}

function keyOfSpace({ analysis }: Analysed): string {
  return `${analysis.format} ${analysis.directory}`;
}

function strictIn(analysis: SpaceAnalysis): SpaceAnalysis {
  return strictOf.get(analysis) ?? analysis;
}

function* conventionsIn(strict: SpaceAnalysis): Steps<Conventions | null> {
  const known = conventions.get(strict) ?? { found: yield* findConventions(strict) };
  conventions.set(strict, known);
  return known.found;
}

function* findConventions(analysis: SpaceAnalysis): Steps<Conventions | null> {
  // The other formats know how links lead.
  if (analysis.format !== 'github') return NONE;
  const shapes = new Map<string, Group>();
  const isBeside = findHeadingsBeside(analysis);
  for (const link of linksIn(brokenListsOf(analysis))) {
    yield 1;
    for (const shape of [
      shapeOfBroken(link),
      shapeOfAlias(link),
      isAlikeHeading(link) ? HEADINGS_ALIKE : null,
      (yield* isBeside(link)) ? HEADINGS_BESIDE : null,
      ...shapesOfNaming(link),
    ]) {
      if (shape === null) continue;
      const group = shapes.get(shape.words) ?? { shape, scopes: new Map() };
      shapes.set(shape.words, group);
      for (const scope of scopesOf(link.file, group.scopes)) scope.missing.add(keyOf(link, shape));
    }
  }
  return { shapes, isBeside, countFound: once(() => countFound(analysis, shapes)) };
}

function* countFound(analysis: SpaceAnalysis, shapes: ReadonlyMap<string, Group>): Steps<Counted> {
  const hostPaths = new Map<string, number>();
  const siteAddresses = new Map<RepoPath, number>();
  const siteTops = new Map<string, number>();
  for (const link of linksIn(linkListsOf(analysis))) {
    yield 1;
    // What is unchecked as an address of a site shows how the others of its kind are meant.
    const isSiteAddress = link.status === 'unchecked' && /^\/(?!\/)/.test(link.target);
    const isFound = link.status === 'ok' && link.destination !== null;
    if (!isSiteAddress && !isFound) continue;
    const top = topOf(link);
    if (top !== null) siteTops.set(top, (siteTops.get(top) ?? 0) + (isFound ? -SITE_RATIO : 1));
    const path = shapeOfPath(link);
    const isPath = isFound && isHostPath(link);
    if (isPath)
      for (const folder of foldersOf(link.file)) hostPaths.set(folder, (hostPaths.get(folder) ?? 0) + 1);
    if (isPath || (isSiteAddress && path?.isAddress === true)) {
      const own = folderOf(link.file);
      siteAddresses.set(own, (siteAddresses.get(own) ?? 0) + (isPath ? -SITE_RATIO : 1));
    }
    const ofHeading = isFound && link.anchor !== null && isOfHost(link.anchor) ? HEADINGS_ALIKE : null;
    const ofOwnPage =
      isFound && link.anchor !== null && link.target.trim().startsWith('#') ? HEADINGS_BESIDE : null;
    const against = isFound && link.anchor !== null ? shapesAgainst(link.anchor) : [];
    const alias = isFound ? shapeOfAlias(link) : null;
    const fragment = isFound ? shapeOfFragment(link) : null;
    for (const shape of [path, alias, fragment, ofHeading, ofOwnPage, ...against]) {
      const group = shape === null ? undefined : shapes.get(shape.words);
      if (shape === null || group === undefined) continue;
      for (const { missing, found } of scopesOf(link.file, group.scopes))
        (isFound ? found : missing).add(keyOf(link, shape));
    }
  }
  return { hostPaths, siteAddresses, siteTops, elsewhere: yield* foldersElsewhere(shapes) };
}

/** Found once for all links: a page may have tens of thousands, each of another shape. */
function* foldersElsewhere(shapes: Conventions['shapes']): Steps<ReadonlySet<RepoPath>> {
  const folders = new Set<RepoPath>();
  for (const { shape, scopes } of shapes.values()) {
    if (shape.isFromRoot !== true) continue;
    for (const [folder, scope] of scopes) {
      yield 1;
      if (leadsNowhere(scope, shape, MIN_SITE_ADDRESSES)) folders.add(folder);
    }
  }
  return folders;
}

/** The first name of an address from the root with further names; null for other destinations. */
function topOf({ target }: Link): string | null {
  return /^\/[\w-]+(?=\/[\w-])/.exec(target)?.[0] ?? null;
}

/** Who asks while it is computed for another computes it, too. */
function once<Value>(compute: () => Steps<Value>): () => Steps<Value> {
  let known: { readonly value: Value } | undefined;
  return function* () {
    known ??= { value: yield* compute() };
    return known.value;
  };
}

/** The file, its folders from the inside to the outside, and the space itself (''). */
function* foldersOf(file: RepoPath): Iterable<string> {
  yield file;
  const names = file.split('/').slice(0, -1);
  for (let depth = Math.min(names.length, MAX_DEPTH); depth > 0; depth -= 1)
    yield names.slice(0, depth).join('/');
  yield '';
}

function* scopesOf(file: RepoPath, scopes: Map<string, Scope>): Iterable<Scope> {
  for (const folder of foldersOf(file)) {
    const scope = scopes.get(folder) ?? { missing: new Set(), found: new Set() };
    scopes.set(folder, scope);
    yield scope;
  }
}

/** Whether links of a shape in a file are written for what publishes it, as those around it show. */
function isConvention(
  shape: LinkShape,
  file: RepoPath,
  shapes: Conventions['shapes'],
  { hostPaths, siteAddresses }: Counted,
): boolean {
  const scopes = shapes.get(shape.words)?.scopes;
  for (const folder of foldersOf(file)) {
    const scope = folder === file ? undefined : scopes?.get(folder);
    if (leadsNowhere(scope, shape, shape.minimum ?? MIN_MISSING)) return true;
  }
  if (shape.isAddress !== true) return false;
  if ((siteAddresses.get(folderOf(file)) ?? 0) >= MIN_SITE_ADDRESSES) return true;
  for (const folder of foldersOf(file)) {
    const { missing, found } = scopes?.get(folder) ?? EMPTY;
    const onHost = (shape.isCertain === true ? 0 : (hostPaths.get(folder) ?? 0)) + found.size;
    if (shape.isCertain === true && folder === '') return missing.size >= onHost * shape.ratio;
    if (folder === '' || missing.size + onHost >= MIN_EVIDENCE)
      return missing.size >= MIN_ADDRESSES && missing.size >= onHost * shape.ratio;
  }
  return false;
}

/** Whether nearly all links of a shape lead nowhere in a scope, and there are enough of them. */
function leadsNowhere(scope: Scope | undefined, { ratio }: LinkShape, least: number): boolean {
  const { missing, found } = scope ?? EMPTY;
  return missing.size >= least && missing.size >= found.size * ratio;
}

const EMPTY: Scope = { missing: new Set(), found: new Set() };

/** The links of the files that somebody may publish: READMEs and the like are read on the repository's host. */
function* linksIn(lists: readonly (readonly Link[])[]): Iterable<Link> {
  for (const list of lists) if (list[0] !== undefined && !isHostFile(list[0].file)) yield* list;
}

function keyOf({ file, target }: Link, { counted }: LinkShape): string {
  return counted ?? `${file} ${target}`;
}

function shapeOfBroken(link: Link): LinkShape | null {
  if (link.rule === 'missing-anchor') return shapeOfFragment(link);
  const isMissing = link.rule === 'missing-page' || link.rule === 'missing-file';
  const shape = isMissing || link.rule === 'outside-repository' ? shapeOfPath(link) : null;
  // What is written alike and leads somewhere shows that the repository has such paths.
  const isLikePath =
    shape?.isCertain === true &&
    link.suggestion !== null &&
    shapeOfPath({ ...link, target: link.suggestion })?.isCertain === true;
  return isLikePath ? null : shape;
}

interface Unchecked {
  readonly words: readonly (string | undefined)[];
  readonly list: readonly Link[];
}

/** Lists of links with unchecked conventions: the same objects as long as the list and what holds for its file are the same. */
const uncheckedLists = new WeakMap<readonly Link[], Unchecked>();

function* uncheck(strict: SpaceAnalysis, known: Conventions | null): Steps<SpaceAnalysis> {
  if (known === NONE) return strict;
  const examples = new Map<string, Example>();
  const words = new Map<Link, string>();
  for (const list of brokenListsOf(strict)) {
    for (const link of list) {
      yield 1;
      const own = yield* conventionOf(link, known);
      if (own === null) continue;
      words.set(link, own);
      const example = examples.get(own) ?? { link, files: new Set(), count: 0 };
      example.files.add(link.file);
      examples.set(own, { ...example, count: example.count + 1 });
    }
  }
  if (examples.size === 0) return strict;
  // Not only when somebody asks for the links: that is one step.
  const unchecked = new Map<readonly Link[], readonly Link[]>();
  for (const list of linkListsOf(strict)) unchecked.set(list, yield* uncheckIn(list, words));
  const analysis = withLists(strict, (list) => unchecked.get(list) ?? list, [...examples].map(explain));
  strictOf.set(analysis, strict);
  return analysis;
}

/** `words` are those of the shapes that are conventions, by their links. */
function* uncheckIn(list: readonly Link[], words: ReadonlyMap<Link, string>): Steps<readonly Link[]> {
  const own: (string | undefined)[] = [];
  for (const link of list) {
    own.push(words.get(link));
    yield 1;
  }
  const before = uncheckedLists.get(list);
  if (before?.words.every((each, at) => each === own[at]) === true) return before.list;
  if (own.every((each) => each === undefined)) return list;
  const unchecked: Link[] = [];
  for (const [at, link] of list.entries()) {
    unchecked.push(toUnchecked(link, own[at]));
    yield 1;
  }
  uncheckedLists.set(list, { words: own, list: unchecked });
  return unchecked;
}

/** The words of a broken link's shape where it is a convention; null otherwise. */
function* conventionOf(link: Link, known: Conventions): Steps<string | null> {
  if (link.status !== 'broken') return null;
  if (isHostFile(link.file)) return yield* conventionOfReadme(link, known);
  const { shapes, isBeside, countFound } = known;
  // Where other names are made of headings, any may be of one.
  const ofHeading = link.rule === 'missing-anchor' ? HEADINGS_ALIKE : null;
  const beside = (yield* isBeside(link)) ? HEADINGS_BESIDE : null;
  const own = [shapeOfBroken(link), shapeOfAlias(link)];
  for (const shape of [...own, ...shapesOfNaming(link), ofHeading, beside]) {
    if (shape === null) continue;
    const counted = yield* countFound();
    if (isConvention(shape, link.file, shapes, counted)) return shape.words;
    if (shape.isAddress !== true) continue;
    if (shape.isFromRoot === true && counted.elsewhere.has(folderOf(link.file))) return shape.words;
    const top = topOf(link);
    if (top !== null && (counted.siteTops.get(top) ?? 0) >= MIN_TOPS) return shape.words;
  }
  return null;
}

/**
 * A README is read on the repository's host. But where it links to pages beside it by addresses, as these do among themselves,
 * what publishes them makes the first page of their folder of it.
 */
function* conventionOfReadme(link: Link, { shapes, countFound }: Conventions): Steps<string | null> {
  const shape = isReadme(link.file) && folderOf(link.file) !== '' ? shapeOfBroken(link) : null;
  const [page] = link.suggestion?.split('#', 1) ?? [];
  if (shape?.isAddress !== true || page !== `${link.target.replace(/[?#][\s\S]*$/, '')}.md`) return null;
  // Those of the pages that lead somewhere are counted, too.
  yield* countFound();
  const scope = shapes.get(shape.words)?.scopes.get(folderOf(link.file));
  return leadsNowhere(scope, shape, MIN_MISSING) ? shape.words : null;
}

function toUnchecked(link: Link, words: string | undefined): Link {
  if (words === undefined) return link;
  const message = `Most links ${words} lead nowhere here, so what publishes the pages seems to lead them in a way of its own.`;
  const unchecked: Link = { ...link, status: 'unchecked', rule: null, suggestion: null, message };
  brokenOf.set(unchecked, link);
  return unchecked;
}

interface Example {
  readonly link: Link;
  readonly files: Set<RepoPath>;
  readonly count: number;
}

function explain([words, { link, count, files }]: readonly [string, Example]): FileProblem {
  const where = files.size === 1 ? 'one file' : `${files.size} files`;
  const which = count === 1 ? `A link ${words}` : `${count} links ${words}`;
  return {
    file: link.file,
    line: link.line,
    rule: 'unknown-convention',
    message: `${which} in ${where}, such as ${link.target}, ${count === 1 ? 'leads' : 'lead'} nowhere, like most of the kind there: what publishes the pages seems to lead them in a way that is not known, so they are not checked.`,
  };
}
