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
  /** What is otherwise here than known: null where the place was left. */
  const own = new Map<string, string | null>();
  const find = (key: string) => {
    const mine = own.get(key);
    return mine === undefined ? known.get(key) : (mine ?? undefined);
  };
  const left: ContentKey[] = [];
  const given: ContentId[] = [];

  for (const kind of ['page', 'file', 'reusable']) {
    const moved = options.renames.flatMap(({ from, to }) => {
      const id = find(keyOf(kind, from));
      return id === undefined ? [] : [{ from, to, id }];
    });
    for (const { from } of moved) own.set(keyOf(kind, from), null);
    for (const { from, to, id } of moved) {
      own.set(keyOf(kind, to), id);
      if (!options.keepMoves) continue;
      left.push({ kind, gitPath: from });
      given.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const key = keyOf(kind, gitPath);
      const before = find(key);
      if (before !== undefined) return before;
      const id = options.newId();
      own.set(key, id);
      given.push({ kind, gitPath, id });
      return id;
    },
    changes: () => ({ left, given }),
  };
}

const indexes = new WeakMap<readonly ContentId[], ReadonlyMap<string, string>>();

/** The same list is given for every push until ids are given, so its index is made once. */
function indexOf(known: readonly ContentId[]): ReadonlyMap<string, string> {
  const made = indexes.get(known);
  if (made !== undefined) return made;
  const index = new Map(known.map((one) => [keyOf(one.kind, one.gitPath), one.id]));
  indexes.set(known, index);
  return index;
}

function keyOf(kind: string, gitPath: string): string {
  return `${kind}\0${gitPath}`;
}
