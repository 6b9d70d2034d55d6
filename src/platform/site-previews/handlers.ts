import { randomBytes } from 'node:crypto';
import { hashToken } from '../../identity/index.ts';
import {
  countSitePreviews,
  deleteSitePreview,
  loadRevision,
  newId,
  type SitePreviewRow,
  saveSitePreview,
} from '../../store/index.ts';
import { type LocatedSite, requireSite } from '../access/require-site.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordSite } from '../sites/change-site.ts';
import { siteLocationOf } from '../sites/present-site.ts';
import { requireShowable } from '../sites/require-showable.ts';
import { siteAddress, sitePreviewPath } from '../sites/site-address.ts';

/** The most previews of a site. */
const MAX_PREVIEWS = 1_000;

export function sitePreviewHandlers(deps: PlatformDeps): HandlersOf<'site-previews'> {
  const { db, sealer } = deps;

  function present(located: LocatedSite, row: SitePreviewRow) {
    const base = siteAddress(deps, siteLocationOf(located));
    const address = new URL(`${base}${sitePreviewPath(row.id)}`);
    address.searchParams.set('shareKey', sealer.unseal(row.sealedKey));
    const { id, source, title } = row;
    return {
      object: 'site-preview' as const,
      id,
      source,
      title,
      address: address.href,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }

  return {
    async saveSitePreview({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'edit');
      const { site } = located;
      const { source, title, url } = body;
      for (const [at, { space: spaceId, revision }] of body.revisions.entries()) {
        const field = `/body/revisions/${at}`;
        await requireShowable(db, caller, site.organizationId, { spaceId, field: `${field}/space` });
        if ((await loadRevision(db, spaceId, revision)) === null)
          throw invalid(`${field}/revision`, 'is not a revision of this space');
      }
      if ((await countSitePreviews(db, site.id)) >= MAX_PREVIEWS)
        throw new ApiError('limit-reached', `A site has at most ${MAX_PREVIEWS} previews.`);
      const key = randomBytes(24).toString('base64url');
      const id = newId();
      const row = await db.transaction(async (tx) => {
        const saved = await saveSitePreview(tx, {
          id,
          siteId: site.id,
          source,
          title,
          url,
          revisions: Object.fromEntries(body.revisions.map(({ space, revision }) => [space, revision])),
          sealedKey: sealer.seal(key),
          keyHash: hashToken(key),
        });
        // A new one opens the content to whoever has its link; further commits of the pull request change nothing in that.
        if (saved.id === id)
          await recordSite(tx, caller, 'site.add-preview', site, { after: { source, title, url } });
        return saved;
      });
      return present(located, row);
    },

    async deleteSitePreview({ caller, params }) {
      const { site } = await requireSite(db, caller, params, 'edit');
      await db.transaction(async (tx) => {
        const deleted = await deleteSitePreview(tx, site.id, params.previewSource);
        if (deleted === null) return;
        const { source, title } = deleted;
        await recordSite(tx, caller, 'site.remove-preview', site, { before: { source, title } });
      });
    },
  };
}
