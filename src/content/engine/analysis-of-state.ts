import { checkLink } from '../links/index.ts';
import type {
  Anchor,
  Asset,
  FileProblem,
  Link,
  Page,
  Reference,
  RepoPath,
  SpaceAnalysis,
  SpaceSettings,
  TreeEntry,
} from '../model/index.ts';
import { type CheckedFile, problemsOf } from './check-file.ts';
import { type ChangedBytes, patchPages } from './patch-pages.ts';
import { linkContextOf, type SpaceState } from './space-state.ts';

const noSettings: SpaceSettings = { reusable: [], variables: {}, redirects: new Map() };

const linksByFile = new WeakMap<object, () => readonly (readonly Link[])[]>();

/**
 * Returns the links of an analysis in lists, in their order. Analyses of one engine share the same list object for a file
 * whose verdicts are unchanged.
 */
export function linkListsOf(analysis: Pick<SpaceAnalysis, 'links'>): readonly (readonly Link[])[] {
  return linksByFile.get(analysis)?.() ?? [analysis.links];
}

const brokenByFile = new WeakMap<object, () => readonly (readonly Link[])[]>();

/**
 * Returns the broken links of an analysis in lists, in their order. Where each list is one file's, analyses of one engine
 * share the same list object for a file whose verdicts are unchanged.
 */
export function brokenListsOf(analysis: Pick<SpaceAnalysis, 'links'>): readonly (readonly Link[])[] {
  return brokenByFile.get(analysis)?.() ?? [analysis.links.filter((link) => link.status === 'broken')];
}

type FileLinks = Pick<CheckedFile, 'facts' | 'links'>;

const checkedFiles = new WeakMap<SpaceAnalysis, (path: RepoPath) => FileLinks | undefined>();

/** Returns a file that an analysis checked; undefined for other files. */
export function checkedFileIn(analysis: SpaceAnalysis, path: RepoPath): FileLinks | undefined {
  return checkedFiles.get(analysis)?.(path);
}

/** Returns the anchors of a file that an analysis checked; undefined for other files. */
export function anchorsIn(analysis: SpaceAnalysis, path: RepoPath): readonly Anchor[] | undefined {
  return checkedFileIn(analysis, path)?.facts?.anchors;
}

const recheckers = new WeakMap<SpaceAnalysis, (link: Link) => Link>();
const writers = new WeakMap<SpaceAnalysis, ReferenceWriter>();

interface ReferenceWriter {
  check(file: RepoPath, reference: Reference): Link;
  write(file: RepoPath, style: Reference, path: RepoPath): string | null;
}

/** Checks a reference as if it were in a file of an analysed space, which need not exist; null when the analysis cannot. */
export function checkReferenceIn(analysis: SpaceAnalysis, file: RepoPath, reference: Reference): Link | null {
  return writers.get(analysis)?.check(file, reference) ?? null;
}

/**
 * Writes a destination that leads readers of a file to the file at `path`, in the style of another reference; null when
 * that style cannot.
 */
export function writeReferenceIn(
  analysis: SpaceAnalysis,
  file: RepoPath,
  { style, path }: { readonly style: Reference; readonly path: RepoPath },
): string | null {
  return writers.get(analysis)?.write(file, style, path) ?? null;
}

const generators = new WeakMap<SpaceAnalysis, () => string>();

/**
 * Checks a link of an analysis again, as if nothing made targets that the repository does not contain. Returns the link
 * itself when the analysis cannot.
 */
export function recheckWithoutGenerators(analysis: SpaceAnalysis, link: Link): Link {
  return recheckers.get(analysis)?.(link) ?? link;
}

/** Identifies what may make files and anchors of a space that its repository does not contain: equal while it is the same. */
export function generatorOf(analysis: SpaceAnalysis): string {
  return generators.get(analysis)?.() ?? '';
}

/** Returns an analysis with other verdicts on some of its links, by the links that they replace. */
export function withLinks(analysis: SpaceAnalysis, replaced: ReadonlyMap<Link, Link>): SpaceAnalysis {
  return withLists(analysis, (list) =>
    list.some((link) => replaced.has(link)) ? list.map((link) => replaced.get(link) ?? link) : list,
  );
}

/** Returns an analysis with other lists of links, and with further notices. */
export function withLists(
  analysis: SpaceAnalysis,
  replaceIn: (list: readonly Link[]) => readonly Link[],
  notices: readonly FileProblem[] = [],
): SpaceAnalysis {
  const lists = once(() => linkListsOf(analysis).map(replaceIn));
  const links = once(() => lists().flat());
  const changed: SpaceAnalysis = {
    directory: analysis.directory,
    format: analysis.format,
    get pages() {
      return analysis.pages;
    },
    get assets() {
      return analysis.assets;
    },
    get settings() {
      return analysis.settings;
    },
    get links() {
      return links();
    },
    get files() {
      return analysis.files;
    },
    get dialects() {
      return analysis.dialects;
    },
    get problems() {
      return analysis.problems;
    },
    get notices() {
      return notices.length === 0 ? analysis.notices : [...analysis.notices, ...notices];
    },
  };
  computedPages.set(changed, () => knownPagesOf(analysis));
  checkedFiles.set(changed, (path) => {
    const file = checkedFiles.get(analysis)?.(path);
    return file === undefined ? undefined : { facts: file.facts, links: replaceIn(file.links) };
  });
  recheckers.set(changed, (link) => recheckWithoutGenerators(analysis, link));
  generators.set(changed, () => generatorOf(analysis));
  const writer = writers.get(analysis);
  if (writer !== undefined) writers.set(changed, writer);
  linksByFile.set(changed, lists);
  brokenByFile.set(
    changed,
    once(() => lists().map(brokenAmong)),
  );
  return changed;
}

const brokenInLists = new WeakMap<readonly Link[], readonly Link[]>();

/** The broken links of a list: the same object for the same list. */
function brokenAmong(list: readonly Link[]): readonly Link[] {
  const known = brokenInLists.get(list) ?? list.filter(({ status }) => status === 'broken');
  brokenInLists.set(list, known);
  return known;
}

/** Makes lookups in `joined` search the analyses that it was joined from. */
export function joinParts(joined: SpaceAnalysis, parts: readonly SpaceAnalysis[]): SpaceAnalysis {
  checkedFiles.set(joined, (path) => {
    for (const part of parts) {
      const file = checkedFiles.get(part)?.(path);
      if (file !== undefined) return file;
    }
    return undefined;
  });
  linksByFile.set(joined, () => parts.flatMap(linkListsOf));
  brokenByFile.set(joined, () => parts.flatMap(brokenListsOf));
  return joined;
}

const computedPages = new WeakMap<object, () => readonly Page[] | null>();

/** Returns the navigation of an analysis if it was computed already, else null. */
export function knownPagesOf(analysis: Pick<SpaceAnalysis, 'pages'>): readonly Page[] | null {
  return computedPages.get(analysis)?.() ?? null;
}

/** The navigation of the previous tree, when only the bytes of some files differ. */
export interface OlderPages {
  readonly pages: readonly Page[];
  readonly changes: ChangedBytes;
}

/** Returns the analysis of a checked space. Each of its properties is computed on first use. */
export function analysisOfState(state: SpaceState, older: OlderPages | null = null): SpaceAnalysis {
  const { options, space, sources, checked } = state;
  const paths = once(() => sources.map((entry) => entry.path));
  const files = () => sources.flatMap(({ path }) => checked.get(path) ?? []);
  const pages = once(
    () =>
      (older === null ? null : patchPages(older.pages, older.changes)) ??
      state.files.within(state.snapshot, () => state.publication.pages),
  );
  const assets = once(() => assetsOf(state));
  const settings = once(() =>
    state.files.within(state.snapshot, () => space.open.settings?.(state.files) ?? noSettings),
  );
  const links = once(() => files().flatMap((file) => file.links as Link[]));
  const dialects = once(() => dialectsOf(state));
  const problemsHere = ({ entry: { path: file }, facts }: CheckedFile): readonly FileProblem[] =>
    facts === undefined
      ? []
      : (space.open.problemsIn?.(file, facts) ?? []).map((problem) => ({ ...problem, file }));
  const problems = once(() => [
    ...space.open.problems,
    ...files().flatMap((file) => [...problemsOfFile(file), ...problemsHere(file)]),
  ]);
  const analysis: SpaceAnalysis = {
    directory: options.directory,
    format: options.name,
    get pages(): readonly Page[] {
      return pages();
    },
    get assets(): readonly Asset[] {
      return assets();
    },
    get settings(): SpaceSettings {
      return settings();
    },
    get links(): readonly Link[] {
      return links();
    },
    get files(): readonly RepoPath[] {
      return paths();
    },
    get dialects(): Readonly<Record<RepoPath, string>> {
      return dialects();
    },
    get problems(): readonly FileProblem[] {
      return problems();
    },
    get notices(): readonly FileProblem[] {
      return space.open.notices ?? [];
    },
  };
  computedPages.set(analysis, pages.known);
  checkedFiles.set(analysis, (path) => checked.get(path));
  recheckers.set(analysis, (link) => recheck(state, link));
  generators.set(analysis, () => generatorOfState(state));
  writers.set(analysis, {
    check: (file, reference) => checkIn(state, file, reference),
    write: (file, style, path) => writeIn(state, file, style, path),
  });
  linksByFile.set(
    analysis,
    once(() => files().map((file) => file.links)),
  );
  brokenByFile.set(
    analysis,
    once(() => brokenIn(state)),
  );
  return analysis;
}

function recheck({ options, snapshot, files, publication }: SpaceState, link: Link): Link {
  return files.within(snapshot, () => {
    const context = { ...linkContextOf(options, snapshot, files), withoutGenerators: true };
    return checkLink(context, publication.rulesOf(link.file), link.file, link);
  });
}

function checkIn(
  { options, snapshot, files, publication }: SpaceState,
  file: RepoPath,
  reference: Reference,
): Link {
  return files.within(snapshot, () =>
    checkLink(linkContextOf(options, snapshot, files), publication.rulesOf(file), file, reference),
  );
}

function writeIn(state: SpaceState, file: RepoPath, style: Reference, path: RepoPath): string | null {
  const { snapshot, files, publication } = state;
  const target = files.within(snapshot, () => {
    const resolution = publication.rulesOf(file).resolve(file, style);
    return resolution.kind === 'path' ? resolution.write(path, { tail: '', wantsFolder: false }) : null;
  });
  if (target === null) return null;
  const link = checkIn(state, file, { ...style, target });
  return link.status === 'ok' && link.resolved?.path === path ? target : null;
}

function generatorOfState({ options, space, snapshot }: SpaceState): string {
  return `${options.name} ${space.open.generator?.(snapshot.index) ?? ''}`;
}

/** In the order of the sources; stops after the last file with a broken link. */
function brokenIn({ sources, checked, broken }: SpaceState): readonly (readonly Link[])[] {
  const lists: (readonly Link[])[] = [];
  for (const { path } of sources) {
    if (lists.length === broken.size) break;
    const file = broken.has(path) ? checked.get(path) : undefined;
    if (file !== undefined) lists.push(file.broken);
  }
  return lists;
}

function problemsOfFile(file: CheckedFile): readonly FileProblem[] {
  return file.facts?.problems.length === 0 ? [] : problemsOf(file);
}

const knownDialects = new WeakMap<readonly TreeEntry[], SpaceAnalysis['dialects']>();

/** Returns the same object while the sources are the same, which only changes of paths or configuration replace. */
function dialectsOf({ space, sources }: SpaceState): SpaceAnalysis['dialects'] {
  const known = knownDialects.get(sources);
  if (known !== undefined) return known;
  const dialects = Object.fromEntries(
    sources.map(({ path }) => [path, space.open.readingOf(path)?.key ?? '']),
  );
  knownDialects.set(sources, dialects);
  return dialects;
}

/** The publication may be of an earlier tree with the same paths and other bytes. */
function assetsOf({ publication, snapshot, files }: SpaceState): readonly Asset[] {
  return files.within(snapshot, () =>
    publication.assets.map((asset) => {
      const { oid, size = null } = snapshot.index.entry(asset.path) ?? asset;
      return oid === asset.oid && size === asset.size ? asset : { path: asset.path, oid, size };
    }),
  );
}

/** Computes a value on first use; `known` returns it, or null when it was not used yet. */
function once<Value>(compute: () => Value): (() => Value) & { readonly known: () => Value | null } {
  let computed: { readonly value: Value } | null = null;
  const get = () => {
    computed ??= { value: compute() };
    return computed.value;
  };
  return Object.assign(get, { known: () => computed?.value ?? null });
}
