import type { NearestPage } from '../../contract/index.ts';
import { countLinks, type Database, loadSearchScopes, type SpaceSelection } from '../../store/index.ts';
import { findSections } from '../answers/find-sections.ts';

/** How many pages are near. */
const NEAREST = 5;
/** Sections that are ranked: several may be of one page. */
const RANKED = 25;
const MAX_QUESTION = 512;
const MAX_TEXT = 300;

/** The pages of these spaces with a section that says most of a text, the nearest first. */
export async function findNearestPages(
  db: Database,
  {
    organizationId,
    spaces,
    text,
    publicUrl,
  }: {
    readonly organizationId: string;
    /** Those that the caller may see; null for all. */
    readonly spaces: SpaceSelection | null;
    readonly text: string;
    readonly publicUrl: string;
  },
): Promise<readonly NearestPage[]> {
  const scopes = new Map(
    (await loadSearchScopes(db, organizationId, spaces)).map((scope) => [scope.spaceId, scope]),
  );
  const { sections } = await findSections(db, [...scopes.values()], text.slice(0, MAX_QUESTION), {
    limit: RANKED,
  });
  const best = new Map<string, (typeof sections)[number]>();
  for (const section of sections) {
    const key = `${section.spaceId} ${section.pageId}`;
    if (!best.has(key) && best.size < NEAREST) best.set(key, section);
  }
  return await Promise.all(
    [...best.values()].map(async ({ spaceId, pageId, title, path, anchor, heading, body }) => {
      const at = scopes.get(spaceId);
      const counts =
        at === undefined
          ? { total: 0, broken: 0 }
          : await countLinks(db, { spaceId, at, pageId, organizationId });
      const fragment = anchor === null ? '' : `#${encodeURIComponent(anchor)}`;
      return {
        space: { id: spaceId, title: at?.title ?? '' },
        page: { id: pageId, title, path },
        section: {
          ...(heading === null ? {} : { title: heading }),
          text: body.slice(0, MAX_TEXT).toWellFormed(),
        },
        links: { total: counts.total, broken: counts.broken },
        urls: { app: `${publicUrl}/spaces/${spaceId}/pages/${pageId}${fragment}` },
      };
    }),
  );
}
