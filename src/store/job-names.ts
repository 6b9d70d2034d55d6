import { inArray } from 'drizzle-orm';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';
import { spaces } from './schema/platform.ts';

/** What jobs are about as people call it: repositories as `owner/name`, bindings and spaces by the title of the space. */
export async function loadNames(
  db: Db,
  wanted: {
    readonly repositories: readonly number[];
    readonly bindings: readonly string[];
    readonly spaces: readonly string[];
  },
): Promise<{
  readonly repositories: ReadonlyMap<number, string>;
  readonly bindings: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<string, string>;
}> {
  const ids = [...new Set(wanted.repositories)].filter(Number.isSafeInteger);
  const [named, titled, found] = await Promise.all([
    ids.length === 0
      ? []
      : db
          .select({ id: repositories.id, name: repositories.fullName })
          .from(repositories)
          .where(inArray(repositories.id, ids)),
    wanted.bindings.length === 0
      ? []
      : db
          .select({ id: bindings.id, repository: bindings.repository, title: bindings.title })
          .from(bindings)
          .where(inArray(bindings.id, [...new Set(wanted.bindings)])),
    wanted.spaces.length === 0
      ? []
      : db
          .select({ id: spaces.id, title: spaces.title })
          .from(spaces)
          .where(inArray(spaces.id, [...new Set(wanted.spaces)])),
  ]);
  return {
    repositories: new Map(named.map(({ id, name }) => [id, name])),
    bindings: new Map(titled.map(({ id, repository, title }) => [id, `${repository}: ${title}`])),
    spaces: new Map(found.map(({ id, title }) => [id, title])),
  };
}
