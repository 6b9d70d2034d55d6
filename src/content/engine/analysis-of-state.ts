import type {
  Anchor,
  Asset,
  FileProblem,
  Link,
  Page,
  RepoPath,
  SpaceAnalysis,
  SpaceSettings,
  TreeEntry,
} from '../model/index.ts';
import { type CheckedFile, problemsOf } from './check-file.ts';
import { type ChangedBytes, patchPages } from './patch-pages.ts';
import type { SpaceState } from './space-state.ts';

const noSettings: SpaceSettings = { reusable: [], variables: {}, redirects: new Map() };

const linksByFile = new WeakMap<object, () => readonly (readonly Link[])[]>();

/**
 * The links of an analysis in lists, in their order. Analyses of one engine share the very list of a file whose verdicts
 * are the same.
 */
export function linkListsOf(analysis: Pick<SpaceAnalysis, 'links'>): readonly (readonly Link[])[] {
  return linksByFile.get(analysis)?.() ?? [analysis.links];
}

const brokenByFile = new WeakMap<object, () => readonly (readonly Link[])[]>();

/**
 * The broken links of an analysis in lists, in their order. Where they are a file's each, analyses of one engine share
 * the very list of a file whose verdicts are the same.
 */
export function brokenListsOf(analysis: Pick<SpaceAnalysis, 'links'>): readonly (readonly Link[])[] {
  return brokenByFile.get(analysis)?.() ?? [analysis.links.filter((link) => link.status === 'broken')];
}

const checkedFiles = new WeakMap<SpaceAnalysis, (path: RepoPath) => CheckedFile | undefined>();

/** One of the files that an analysis judged; undefined for other files. */
export function checkedFileIn(
  analysis: SpaceAnalysis,
  path: RepoPath,
): Pick<CheckedFile, 'facts' | 'links'> | undefined {
  return checkedFiles.get(analysis)?.(path);
}

/** The anchors of one of the files that an analysis judged; undefined for other files. */
export function anchorsIn(analysis: SpaceAnalysis, path: RepoPath): readonly Anchor[] | undefined {
  return checkedFileIn(analysis, path)?.facts?.anchors;
}

/** Marks an analysis as several in one, so that what is asked of it is asked of them. */
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

const pagesMade = new WeakMap<object, () => readonly Page[] | null>();

/** The navigation of an analysis when somebody asked for it already, else null. */
export function knownPagesOf(analysis: Pick<SpaceAnalysis, 'pages'>): readonly Page[] | null {
  return pagesMade.get(analysis)?.() ?? null;
}

/** The navigation of the tree before, where only the bytes of some files differ. */
export interface OlderPages {
  readonly pages: readonly Page[];
  readonly changes: ChangedBytes;
}

/** A judged space as callers get it. Its parts are worked out when they are asked for, each once. */
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
  const links = once(() => files().flatMap((one) => one.links as Link[]));
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
  };
  pagesMade.set(analysis, pages.made);
  checkedFiles.set(analysis, (path) => checked.get(path));
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

/** In the order of the sources, of which there are many, and most have nothing broken. */
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

const dialectsMade = new WeakMap<readonly TreeEntry[], SpaceAnalysis['dialects']>();

/** The very same object while the sources are the same, which only a space of other paths or configuration changes. */
function dialectsOf({ space, sources }: SpaceState): SpaceAnalysis['dialects'] {
  const known = dialectsMade.get(sources);
  if (known !== undefined) return known;
  const dialects = Object.fromEntries(
    sources.map(({ path }) => [path, space.open.readingOf(path)?.key ?? '']),
  );
  dialectsMade.set(sources, dialects);
  return dialects;
}

/** The publication may have been made for an earlier tree with the same paths and other bytes. */
function assetsOf({ publication, snapshot, files }: SpaceState): readonly Asset[] {
  return files.within(snapshot, () =>
    publication.assets.map((asset) => {
      const { oid, size = null } = snapshot.index.entry(asset.path) ?? asset;
      return oid === asset.oid && size === asset.size ? asset : { path: asset.path, oid, size };
    }),
  );
}

function once<Value>(make: () => Value): (() => Value) & { readonly made: () => Value | null } {
  let made: { readonly value: Value } | null = null;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { made: () => made?.value ?? null });
}
