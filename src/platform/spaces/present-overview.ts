import type { Space, SpaceOverview } from '../../contract/index.ts';
import type { SpaceActivity } from '../../store/index.ts';
import { presentGitOperation } from '../git/present-git-operation.ts';

/** A space with what is live and its last sync, as the caller sees them. */
export function presentOverview(space: Space, activity: SpaceActivity | undefined): SpaceOverview {
  const { live = null, lastSync = null } = activity ?? {};
  // Only who may list the operations sees what they say; for others, content is live since it was made.
  const seesSyncs = space.permissions.access;
  const synced = seesSyncs ? live?.synced : undefined;
  const commit = synced ? synced.commitOid : live?.commitOid;
  return {
    object: 'space-overview',
    space,
    ...(live === null
      ? {}
      : {
          live: {
            ...(commit ? { commit } : {}),
            since: (synced?.at ?? live.createdAt).toISOString(),
            counts: {
              pages: live.counts.pages,
              files: live.counts.files,
              links: live.counts.links,
              broken: live.counts.broken,
            },
          },
        }),
    ...(seesSyncs && lastSync !== null ? { lastSync: presentGitOperation(lastSync) } : {}),
  };
}
