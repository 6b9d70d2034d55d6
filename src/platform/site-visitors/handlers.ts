import { randomBytes } from 'node:crypto';
import type { AdaptiveSchema } from '../../contract/index.ts';
import {
  type Db,
  loadVisitorKey,
  newId,
  replaceVisitorKey,
  type SiteRow,
  updateSite,
} from '../../store/index.ts';
import { requireSite } from '../access/require-site.ts';
import { notFound } from '../api/api-error.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordSite, withSiteLocked } from '../sites/change-site.ts';
import { checkAdaptiveSchema, presentAdaptiveSchema, suggestConditions } from './present-adaptive-schema.ts';
import { presentPublishingAuth } from './present-publishing-auth.ts';

export function siteVisitorHandlers({ db, sealer }: PlatformDeps): HandlersOf<'site-visitors'> {
  async function makeKey(tx: Db, siteId: string): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    await replaceVisitorKey(tx, { id: newId(), siteId, sealedKey: sealer.seal(key) });
    return key;
  }

  async function ensureKey(tx: Db, siteId: string): Promise<string> {
    const sealed = await loadVisitorKey(tx, siteId);
    return sealed === null ? await makeKey(tx, siteId) : sealer.unseal(sealed);
  }

  return {
    async getAdaptiveSchema({ caller, params }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const schema = presentAdaptiveSchema(site);
      if (schema === null) throw notFound('adaptive schema of this site');
      return schema;
    },

    async updateAdaptiveSchema({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'edit');
      checkAdaptiveSchema(body.jsonSchema);
      const row = await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const changes = { adaptiveSchema: body.jsonSchema, adaptiveSchemaUpdatedAt: new Date() };
        const changed = (await updateSite(tx, site.id, changes)) as SiteRow;
        const after = { claims: Object.keys(body.jsonSchema.properties) };
        await recordSite(tx, caller, 'site.update-adaptive-schema', site, { after });
        return changed;
      });
      return presentAdaptiveSchema(row) as AdaptiveSchema;
    },

    async listTemplateConditions({ caller, params }) {
      const { site } = await requireSite(db, caller, params, 'access');
      const schema = presentAdaptiveSchema(site);
      return { items: schema === null ? [] : [...suggestConditions(schema.jsonSchema)] };
    },

    async getPublishingAuth({ caller, params }) {
      const located = await requireSite(db, caller, params, 'admin');
      const sealed = await loadVisitorKey(db, located.site.id);
      if (sealed !== null) return presentPublishingAuth(located.site, sealer.unseal(sealed));
      return await withSiteLocked(db, located.site, async ({ tx, site }) =>
        presentPublishingAuth(site, await ensureKey(tx, site.id)),
      );
    },

    async updatePublishingAuth({ caller, params, body }) {
      const located = await requireSite(db, caller, params, 'admin');
      return await withSiteLocked(db, located.site, async ({ tx, site }) => {
        const { fallbackURL = site.fallbackUrl } = body;
        const row = (await updateSite(tx, site.id, { fallbackUrl: fallbackURL })) as SiteRow;
        if (fallbackURL !== site.fallbackUrl)
          await recordSite(tx, caller, 'site.update-visitor-sign-in', site, {
            before: { fallbackURL: site.fallbackUrl },
            after: { fallbackURL },
          });
        return presentPublishingAuth(row, await ensureKey(tx, site.id));
      });
    },

    async regeneratePublishingAuth({ caller, params }) {
      const located = await requireSite(db, caller, params, 'admin');
      return await withSiteLocked(db, located.site, async ({ tx, site }) => {
        await recordSite(tx, caller, 'site.replace-visitor-key', site);
        return presentPublishingAuth(site, await makeKey(tx, site.id));
      });
    },
  };
}
