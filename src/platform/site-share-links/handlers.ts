import { randomBytes } from 'node:crypto';
import { hashToken } from '../../identity/index.ts';
import {
  deleteShareLink,
  insertShareLink,
  listShareLinks,
  newId,
  updateShareLink,
} from '../../store/index.ts';
import { requireSite } from '../access/require-site.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordSite, withSiteLocked } from '../sites/change-site.ts';
import { siteLocationOf } from '../sites/present-site.ts';
import { siteAddress } from '../sites/site-address.ts';
import { presentShareLink } from './present-share-link.ts';

/** The most links of a site. */
const MAX_LINKS = 200;

export function siteShareLinkHandlers(deps: PlatformDeps): HandlersOf<'site-share-links'> {
  const { db } = deps;
  return {
    async listShareLinks({ caller, params, query }) {
      const { site } = await requireSite(db, caller, params, 'admin');
      const limit = limitOf(query);
      const list = `share links of ${site.id}`;
      const found = await listShareLinks(db, site.id, {
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      return toList(found, { list, limit, keyOf: ageKeyOf, present: (row) => presentShareLink(row) });
    },

    async createShareLink({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'admin');
      const key = randomBytes(24).toString('base64url');
      const row = await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const { count } = await listShareLinks(tx, site.id, { after: null, limit: 1 });
        if (count >= MAX_LINKS)
          throw new ApiError('limit-reached', `A site has at most ${MAX_LINKS} share links.`);
        const { name } = body;
        const made = await insertShareLink(tx, {
          id: newId(),
          siteId: site.id,
          name,
          hash: hashToken(key),
          prefix: key.slice(0, 6),
        });
        await recordSite(tx, caller, 'site.add-share-link', site, { after: { link: made.id, name } });
        return made;
      });
      const address = new URL(siteAddress(deps, siteLocationOf(located)));
      address.searchParams.set('shareKey', key);
      return presentShareLink(row, address.href);
    },

    async updateShareLink({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'admin');
      const row = await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const changed = await updateShareLink(tx, site.id, params.shareLinkId, body);
        if (changed === null) throw notFound('share link with this id in this site');
        const after = { link: changed.id, ...body };
        await recordSite(tx, caller, 'site.update-share-link', site, { after });
        return changed;
      });
      return presentShareLink(row);
    },

    async deleteShareLink({ caller, params }) {
      const located = await requireSite(db, caller, params, 'admin');
      await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const deleted = await deleteShareLink(tx, site.id, params.shareLinkId);
        const before = { link: params.shareLinkId, name: deleted?.name };
        if (deleted !== null) await recordSite(tx, caller, 'site.remove-share-link', site, { before });
      });
    },
  };
}
