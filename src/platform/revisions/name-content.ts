import type { Rename } from '../../content/index.ts';
import type { ContentId, ContentKey } from '../../store/index.ts';
import type { ContentRows } from './content-rows.ts';

/** Gives pages and files their ids: the same place has the same id in every revision, also after the file moved. */
export interface ContentNames {
  /** The id of a thing at a place; given now when it has none. */
  idOf(kind: string, gitPath: string): string;
  /** What to keep in mind for the next revision. */
  changes(): { readonly left: readonly ContentKey[]; readonly given: readonly ContentId[] };
}

/** What a revision beside the content calls its files. */
export interface NamesBeside {
  readonly names: readonly ContentId[];
  /** Whether a file stood at a path when it began. */
  readonly stood: (gitPath: string) => boolean;
  /** Whether one stands there in the tree that is named now. */
  readonly stands: (gitPath: string) => boolean;
}

/**
 * `keepMoves` false is for a revision beside the content: a file that moved keeps its id there, but the place where
 * readers see it keeps it too. `beside` is such a revision whose names are taken over: by the next
 * one of the same change request, or by its merge.
 */
export function nameContent(options: {
  readonly known: readonly ContentId[];
  readonly beside?: NamesBeside;
  readonly renames: readonly Rename[];
  readonly keepMoves: boolean;
  readonly newId: () => string;
}): ContentNames {
  const known = indexOf(options.known);
  /** What is otherwise here than known, by kind and place: null where the place was left. */
  const own = new Map<string, Map<string, string | null>>();
  const find = (kind: string, gitPath: string) => {
    const mine = own.get(kind)?.get(gitPath);
    return mine === undefined ? known.get(kind)?.get(gitPath) : (mine ?? undefined);
  };
  const put = (kind: string, gitPath: string, id: string | null) => {
    const paths = own.get(kind) ?? new Map<string, string | null>();
    own.set(kind, paths.set(gitPath, id));
  };
  const left: ContentKey[] = [];
  const added: ContentId[] = [];

  const leaving = new Set(options.keepMoves ? [] : options.renames.map(({ from }) => from));
  const differing =
    options.beside === undefined ? [] : otherwiseNamed(options.beside, options.known, leaving);
  for (const { was } of differing) {
    if (was === null) continue;
    put(was.kind, was.gitPath, null);
    if (options.keepMoves) left.push({ kind: was.kind, gitPath: was.gitPath });
  }
  for (const { name } of differing) {
    put(name.kind, name.gitPath, name.id);
    if (options.keepMoves) added.push(name);
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
      left.push({ kind, gitPath: from });
      added.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const before = find(kind, gitPath);
      if (before !== undefined) return before;
      const id = options.newId();
      put(kind, gitPath, id);
      // What stands beside the content has no say in the name that readers know for this place.
      if (options.keepMoves || known.get(kind)?.get(gitPath) === undefined) added.push({ kind, gitPath, id });
      return id;
    },
    changes: () => ({ left, given: added }),
  };
}

/** The names that a revision has for its files, by kind; of a page that stands several times the first. */
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
 * The names of a revision beside the content that are not those of the content, each with the place that has its id there.
 * Where the content itself moved a file on, that is its place. `leaving` are the places that are moved from now.
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

/** Ids by kind and place. */
type Index = ReadonlyMap<string, ReadonlyMap<string, string>>;

const indexes = new WeakMap<readonly ContentId[], Index>();

/** The same list is given for every push until ids are given, so its index is made once. */
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
