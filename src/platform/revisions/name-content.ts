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
  const ids = new Map(options.known.map((one) => [keyOf(one.kind, one.gitPath), one.id]));
  const left: ContentKey[] = [];
  const given: ContentId[] = [];

  for (const kind of ['page', 'file']) {
    const moved = options.renames.flatMap(({ from, to }) => {
      const id = ids.get(keyOf(kind, from));
      return id === undefined ? [] : [{ from, to, id }];
    });
    for (const { from } of moved) ids.delete(keyOf(kind, from));
    for (const { from, to, id } of moved) {
      ids.set(keyOf(kind, to), id);
      if (!options.keepMoves) continue;
      left.push({ kind, gitPath: from });
      given.push({ kind, gitPath: to, id });
    }
  }

  return {
    idOf(kind, gitPath) {
      const key = keyOf(kind, gitPath);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = options.newId();
      ids.set(key, id);
      given.push({ kind, gitPath, id });
      return id;
    },
    changes: () => ({ left, given }),
  };
}

function keyOf(kind: string, gitPath: string): string {
  return `${kind}\0${gitPath}`;
}
