import { operations, type PlatformClient, type Revision, type Space } from '../../client/index.ts';

/** The live content; null for a new space, into which nothing was imported yet. */
export async function loadLiveRevision(client: PlatformClient, space: Space): Promise<Revision | null> {
  if (space.revision === undefined) return null;
  const revision = await client.call(operations.getContent, { params: { spaceId: space.id } });
  const isEmpty = !revision.git && revision.pages.length === 0 && revision.files.length === 0;
  return isEmpty ? null : revision;
}
