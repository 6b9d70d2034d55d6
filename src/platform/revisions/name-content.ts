import type { Rename } from '../../content/index.ts';
import type { ContentId, ContentKey } from '../../store/index.ts';
import type { ContentRows } from './content-rows.ts';

/** Assigns ids to pages and files: the same file has the same id in every revision, also after it moved. */
export interface ContentNames {
  /** The id of the item of this kind at a path; assigned now when it has none. */
  idOf(kind: string, gitPath: string): string;
  /** What to store for the next revision: paths that lost their ids, and ids that were assigned. */
  changes(): { readonly released: readonly ContentKey[]; readonly assigned: readonly ContentId[] };
}

/** The ids of a revision beside the content. */
export interface NamesBeside {
  readonly names: readonly ContentId[];
  /** Whether a file stood at a path when it began. */
  readonly stood: (gitPath: string) => boolean;
  /** Whether one stands there in the tree that is named now. */
  readonly stands: (gitPath: string) => boolean;
}

/**
 * `keepMoves` false is for a revision beside the content: a file that moved keeps its id there, and so does its old path
 * in the content. `beside` is such a revision whose ids are reused: by the next revision of the same change request, or
 * by its merge.
 */
export function nameContent(options: {
  readonly known: readonly ContentId[];
  readonly beside?: NamesBeside;
  readonly renames: readonly Rename[];
  readonly keepMoves: boolean;
  readonly newId: () => string;
}): ContentNames {
  const known = indexOf(options.known);
  /** What differs from `known`, by kind and path: null where the file moved away. */
  const own = new Map<string, Map<string, string | null>>();
  const find = (kind: string, gitPath: string) => {
    const mine = own.get(kind)?.get(gitPath);
    return mine === undefined ? known.get(kind)?.get(gitPath) : (mine ?? undefined);
  };
  const put = (kind: string, gitPath: string, id: string | null) => {
    const paths = own.get(kind) ?? new Map<string, string | null>();
    own.set(kind, paths.set(gitPath, id));
  };
  const released: ContentKey[] = [];
  const assigned: ContentId[] = [];

  const leaving = new Set(options.keepMoves ? [] : options.renames.map(({ from }) => from));
  const differing =
    options.beside === undefined ? [] : otherwiseNamed(options.beside, options.known, leaving);
  for (const { was } of differing) {
    if (was === null) continue;
    put(was.kind, was.gitPath, null);
    if (options.keepMoves) released.push({ kind: was.kind, gitPath: was.gitPath });
  }
  for (const { name } of differing) {
    put(name.kind, name.gitPath, name.id);
    if (options.keepMoves) assigned.push(name);
  }

  for (const kind of ['page', 'file', 'reusable']) {
    const moved = options.renames.flatMap(({ from, to }) => {
      const id = find(kind, from);
      return id === undefined ? [] : [{ from, to, id }];
    });
    for (const { from } of moved) put(kind, from, null);
    for (const { from, to, id } of moved) {
      put(kind, to, id);
      if (!options.keepMoves) continue;
      released.push({ kind, gitPath: from });
      assigned.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const before = find(kind, gitPath);
      if (before !== undefined) return before;
      const id = options.newId();
      put(kind, gitPath, id);
      // A revision beside the content does not change the id that this path has in the content.
      if (options.keepMoves || known.get(kind)?.get(gitPath) === undefined)
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
 * The ids of a revision beside the content that differ from those of the content, each with the path that has the id
 * there. Where the content itself moved the file since, its move counts. `leaving` are the paths of files that move now.
 */
function otherwiseNamed(
  { names, stood, stands }: NamesBeside,
  known: readonly ContentId[],
  leaving: ReadonlySet<string>,
): readonly { readonly name: ContentId; readonly was: ContentId | null }[] {
  const index = indexOf(known);
  const differing = names.filter(({ kind, gitPath, id }) => index.get(kind)?.get(gitPath) !== id);
  if (differing.length === 0) return [];
  const ids = new Set(differing.map(({ id }) => id));
  const knownNames = new Map<string, ContentId>();
  for (const name of known) if (ids.has(name.id)) knownNames.set(name.id, name);
  return differing.flatMap((name) => {
    const was = knownNames.get(name.id) ?? null;
    const isMovedOn = was !== null && stands(was.gitPath) && !stood(was.gitPath);
    const isHere = stands(name.gitPath) || leaving.has(name.gitPath);
    return isMovedOn || !isHere ? [] : [{ name, was }];
  });
}

/** Ids by kind and path. */
type Index = ReadonlyMap<string, ReadonlyMap<string, string>>;

const indexes = new WeakMap<readonly ContentId[], Index>();

/** Every push passes the same list until ids are assigned, so its index is built once. */
function indexOf(known: readonly ContentId[]): Index {
  const made = indexes.get(known);
  if (made !== undefined) return made;
  const index = new Map<string, Map<string, string>>();
  for (const { kind, gitPath, id } of known) {
    const paths = index.get(kind) ?? new Map<string, string>();
    index.set(kind, paths.set(gitPath, id));
  }
  indexes.set(known, index);
  return index;
}
