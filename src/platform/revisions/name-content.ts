import type { Rename } from '../../content/index.ts';
import type { ContentId, ContentKey } from '../../store/index.ts';
import type { ContentRows } from './content-rows.ts';

/** Assigns ids to pages and files: the same file has the same id in every revision, also after it moved. */
export interface ContentNames {
  /** The id of the item of this kind at a path; assigned now when it has none. */
  idOf(kind: string, gitPath: string): string;
  /** The changes to store for the next revision: paths that lost their ids, and ids that were assigned. */
  changes(): { readonly released: readonly ContentKey[]; readonly assigned: readonly ContentId[] };
}

/** The ids of a draft: a revision of a change request, which is not the current content. */
export interface DraftNames {
  readonly names: readonly ContentId[];
  /** Whether there was a file at a path in the revision that the draft started from. */
  readonly existedAtStart: (gitPath: string) => boolean;
  /** Whether there is a file at a path in the tree whose files are named now. */
  readonly exists: (gitPath: string) => boolean;
}

/**
 * Names the files of a revision. If it does not become the current content (`becomesCurrent` false), a moved file has its
 * old id in the revision, but its old path has that id in the content, too. `draft` has ids to reuse: for the next
 * revision of the same change request, or for its merge.
 */
export function nameContent(options: {
  readonly known: readonly ContentId[];
  readonly draft?: DraftNames;
  readonly renames: readonly Rename[];
  readonly becomesCurrent: boolean;
  readonly newId: () => string;
}): ContentNames {
  const known = indexOf(options.known);
  /** Ids that differ from `known`, by kind and path: null if the file moved away. */
  const overrides = new Map<string, Map<string, string | null>>();
  const findId = (kind: string, gitPath: string) => {
    const override = overrides.get(kind)?.get(gitPath);
    return override === undefined ? known.get(kind)?.get(gitPath) : (override ?? undefined);
  };
  const setId = (kind: string, gitPath: string, id: string | null) => {
    const paths = overrides.get(kind) ?? new Map<string, string | null>();
    overrides.set(kind, paths.set(gitPath, id));
  };
  const released: ContentKey[] = [];
  const assigned: ContentId[] = [];

  const moving = new Set(options.becomesCurrent ? [] : options.renames.map(({ from }) => from));
  const differing =
    options.draft === undefined ? [] : findDifferingNames(options.draft, options.known, moving);
  for (const { previous } of differing) {
    if (previous === null) continue;
    setId(previous.kind, previous.gitPath, null);
    if (options.becomesCurrent) released.push({ kind: previous.kind, gitPath: previous.gitPath });
  }
  for (const { name } of differing) {
    setId(name.kind, name.gitPath, name.id);
    if (options.becomesCurrent) assigned.push(name);
  }

  for (const kind of ['page', 'file', 'reusable']) {
    const moved = options.renames.flatMap(({ from, to }) => {
      const id = findId(kind, from);
      return id === undefined ? [] : [{ from, to, id }];
    });
    for (const { from } of moved) setId(kind, from, null);
    for (const { from, to, id } of moved) {
      setId(kind, to, id);
      if (!options.becomesCurrent) continue;
      released.push({ kind, gitPath: from });
      assigned.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const existing = findId(kind, gitPath);
      if (existing !== undefined) return existing;
      const id = options.newId();
      setId(kind, gitPath, id);
      // A revision that does not become current does not change the id that this path has in the content.
      if (options.becomesCurrent || known.get(kind)?.get(gitPath) === undefined)
        assigned.push({ kind, gitPath, id });
      return id;
    },
    changes: () => ({ released, assigned }),
  };
}

/** The ids of a revision's files, by kind; of a page that is in the navigation several times, the first. */
export function namesIn({ pages, files, settings }: ContentRows): readonly ContentId[] {
  const names = new Map<string, ContentId>();
  const add = (kind: string, gitPath: string | null, id: string | null) => {
    const key = `${kind}\0${gitPath}`;
    if (gitPath !== null && id !== null && !names.has(key)) names.set(key, { kind, gitPath, id });
  };
  for (const { type, gitPath, id } of pages.values()) if (type === 'document') add('page', gitPath, id);
  for (const { gitPath, id } of files.values()) add('file', gitPath, id);
  for (const setting of settings.values()) {
    if (setting.kind === 'reusable') add('reusable', setting.name, setting.contentId);
  }
  return [...names.values()];
}

/**
 * The names of a draft that differ from those of the content, each with the name that its id has in the content. If the
 * content itself moved the file since, that move counts. `moving` are the old paths of files that move now.
 */
function findDifferingNames(
  { names, existedAtStart, exists }: DraftNames,
  known: readonly ContentId[],
  moving: ReadonlySet<string>,
): readonly { readonly name: ContentId; readonly previous: ContentId | null }[] {
  const index = indexOf(known);
  const differing = names.filter(({ kind, gitPath, id }) => index.get(kind)?.get(gitPath) !== id);
  if (differing.length === 0) return [];
  const ids = new Set(differing.map(({ id }) => id));
  const knownNames = new Map<string, ContentId>();
  for (const name of known) if (ids.has(name.id)) knownNames.set(name.id, name);
  return differing.flatMap((name) => {
    const previous = knownNames.get(name.id) ?? null;
    const wasMovedInContent =
      previous !== null && exists(previous.gitPath) && !existedAtStart(previous.gitPath);
    const isPresent = exists(name.gitPath) || moving.has(name.gitPath);
    return wasMovedInContent || !isPresent ? [] : [{ name, previous }];
  });
}

/** Ids by kind and path. */
type Index = ReadonlyMap<string, ReadonlyMap<string, string>>;

const indexes = new WeakMap<readonly ContentId[], Index>();

/** Every push passes the same list until ids are assigned, so its index is cached. */
function indexOf(known: readonly ContentId[]): Index {
  const cached = indexes.get(known);
  if (cached !== undefined) return cached;
  const index = new Map<string, Map<string, string>>();
  for (const { kind, gitPath, id } of known) {
    const paths = index.get(kind) ?? new Map<string, string>();
    index.set(kind, paths.set(gitPath, id));
  }
  indexes.set(known, index);
  return index;
}
