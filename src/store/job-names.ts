import { inArray } from 'drizzle-orm';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';

/** What jobs are about as people call it: repositories as `owner/name`, bindings by the title of their space. */
export async function loadNames(
  db: Db,
  wanted: { readonly repositories: readonly number[]; readonly bindings: readonly string[] },
): Promise<{
  readonly repositories: ReadonlyMap<number, string>;
  readonly bindings: ReadonlyMap<string, string>;
}> {
  const ids = [...new Set(wanted.repositories)].filter(Number.isSafeInteger);
  const [named, titled] = await Promise.all([
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
  ]);
  return {
    repositories: new Map(named.map(({ id, name }) => [id, name])),
    bindings: new Map(titled.map(({ id, repository, title }) => [id, `${repository}: ${title}`])),
  };
}
