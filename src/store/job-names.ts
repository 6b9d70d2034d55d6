import { inArray } from 'drizzle-orm';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';
import { spaces } from './schema/platform.ts';

/** Names of what jobs are about: repositories as `owner/name`, bindings and spaces with the space's title. Unknown ids are omitted. */
export async function loadNames(
  db: Db,
  ids: {
    readonly repositories: readonly number[];
    readonly bindings: readonly string[];
    readonly spaces: readonly string[];
  },
): Promise<{
  readonly repositories: ReadonlyMap<number, string>;
  readonly bindings: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<string, string>;
}> {
  const repositoryIds = [...new Set(ids.repositories)].filter(Number.isSafeInteger);
  const [named, titled, found] = await Promise.all([
    repositoryIds.length === 0
      ? []
      : db
          .select({ id: repositories.id, name: repositories.fullName })
          .from(repositories)
          .where(inArray(repositories.id, repositoryIds)),
    ids.bindings.length === 0
      ? []
      : db
          .select({ id: bindings.id, repository: bindings.repository, title: bindings.title })
          .from(bindings)
          .where(inArray(bindings.id, [...new Set(ids.bindings)])),
    ids.spaces.length === 0
      ? []
      : db
          .select({ id: spaces.id, title: spaces.title })
          .from(spaces)
          .where(inArray(spaces.id, [...new Set(ids.spaces)])),
  ]);
  return {
    repositories: new Map(named.map(({ id, name }) => [id, name])),
    bindings: new Map(titled.map(({ id, repository, title }) => [id, `${repository}: ${title}`])),
    spaces: new Map(found.map(({ id, title }) => [id, title])),
  };
}
