import type { Rename } from '../../content/index.ts';
import type { ContentId, ContentKey } from '../../store/content-ids.ts';

/** Gives pages and files their ids: the same place has the same id in every revision, also after the file moved. */
export interface ContentNames {
  /** The id of a thing at a place; given now when it has none. */
  idOf(kind: string, gitPath: string): string;
  /** What to keep in mind for the next revision. */
  changes(): { readonly left: readonly ContentKey[]; readonly given: readonly ContentId[] };
}

/**
 * `keepMoves` false is for a revision beside the content: a file that moved keeps its id there, but the place where
 * readers see it keeps it too.
 */
export function nameContent(options: {
  readonly known: readonly ContentId[];
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
    const places = own.get(kind) ?? new Map<string, string | null>();
    own.set(kind, places.set(gitPath, id));
  };
  const left: ContentKey[] = [];
  const given: ContentId[] = [];

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
      given.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const before = find(kind, gitPath);
      if (before !== undefined) return before;
      const id = options.newId();
      put(kind, gitPath, id);
      given.push({ kind, gitPath, id });
      return id;
    },
    changes: () => ({ left, given }),
  };
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
    const places = index.get(kind) ?? new Map<string, string>();
    index.set(kind, places.set(gitPath, id));
  }
  indexes.set(known, index);
  return index;
}
