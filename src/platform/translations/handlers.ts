import { isLanguage } from '../../contract/index.ts';
import {
  type AuditEvent,
  type Db,
  deleteTranslation,
  insertTranslation,
  listTranslations,
  loadSpace,
  loadTranslation,
  newId,
  recordAudit,
  requestTranslationRun,
  type TranslationRow,
  updateTranslation,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { loadAccessMap } from '../access/load-access-map.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { requireRole, sees } from '../access/require-role.ts';
import { loadSpaceAccess, requireSpace } from '../access/require-space.ts';
import { type EffectiveRole, spaceRights, translationRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { invalid, notFound } from '../api/api-error.ts';
import { limitOf, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { readDocumentInput } from '../content/read-document-input.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentTranslation } from './present-translation.ts';
import { readGlossaryInput } from './read-glossary-input.ts';
import { translationJob } from './translation-jobs.ts';

interface Params {
  readonly organizationId: string;
  readonly translationId: string;
}

export function translationHandlers(deps: PlatformDeps): HandlersOf<'translations'> {
  const { db, publicUrl } = deps;

  /** Returns the translation if the caller has this right; throws a 404 if they may not see it or its source, else a 403. */
  async function requireTranslation(
    caller: Caller,
    { organizationId, translationId }: Params,
    right: keyof typeof translationRights,
  ): Promise<{ readonly row: TranslationRow; readonly effectiveRole: EffectiveRole }> {
    const { effectiveRole } = await requireOrganization(db, caller, organizationId, 'view');
    const row = await loadTranslation(db, translationId);
    if (row === null || row.organizationId !== organizationId || !(await seesSource(caller, row))) {
      throw notFound('translation with this id in this organization');
    }
    requireRole(effectiveRole, translationRights[right], 'organization');
    return { row, effectiveRole };
  }

  /** Whose source the caller may not see is not there: an answer that speaks of the space would say that it is. */
  async function seesSource(caller: Caller, { sourceSpaceId }: TranslationRow): Promise<boolean> {
    const source = await loadSpace(db, sourceSpaceId);
    if (source === null) return false;
    return sees(await loadSpaceAccess(db, caller, source), spaceRights.view);
  }

  /** Records what was done with a translation; what the scheduler does at each push is left out. */
  async function record(
    tx: Db,
    caller: Caller,
    action: `translation.${string}`,
    row: TranslationRow,
    after: AuditEvent['after'] = {},
  ): Promise<void> {
    if (caller.actor.kind === 'server' && /\.(run|update)$/.test(action)) return;
    await recordAudit(tx, {
      organizationId: row.organizationId,
      action,
      actor: caller.actor,
      target: { kind: 'translation', id: row.id, name: row.language },
      after: { space: row.sourceSpaceId, ...after },
    });
  }

  return {
    async listTranslations({ caller, params, query }) {
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'view',
      );
      const accessMap = await loadAccessMap(db, organization.id, caller.membershipIn(organization.id));
      const limit = limitOf(query);
      const list = `translations of ${organization.id}`;
      const found = await listTranslations(db, organization.id, {
        selection: await accessMap.visibleSpaces(),
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      const present = (row: TranslationRow) => presentTranslation(row, effectiveRole, publicUrl);
      return toList(found, { list, limit, keyOf: ageKeyOf, present });
    },

    async createTranslation({ caller, params, body }) {
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'createContent',
      );
      const { space } = await requireSpace(db, caller, body.source.space, 'view');
      if (space.organizationId !== organization.id)
        throw invalid('/body/source/space', 'is a space of another organization');
      const spaceLanguage = space.language !== null && isLanguage(space.language) ? space.language : null;
      const from = body.source.language ?? spaceLanguage;
      if (from === body.language) {
        throw invalid('/body/language', 'is the language of the source; name another one');
      }
      const row = await db.transaction(async (tx) => {
        const created = await insertTranslation(tx, {
          id: newId(),
          organizationId: organization.id,
          sourceSpaceId: space.id,
          sourceLanguage: from,
          language: body.language,
          provider: body.provider ?? 'pseudo',
          instructions: body.instructions === undefined ? null : readDocumentInput(body.instructions),
          glossary: readGlossaryInput(body.glossary ?? []),
        });
        await record(tx, caller, 'translation.create', created);
        return created;
      });
      return presentTranslation(row, effectiveRole, publicUrl);
    },

    async getTranslation({ caller, params }) {
      const { row, effectiveRole } = await requireTranslation(caller, params, 'view');
      return presentTranslation(row, effectiveRole, publicUrl);
    },

    async updateTranslation({ caller, params, body }) {
      const { row, effectiveRole } = await requireTranslation(caller, params, 'edit');
      const changed = await db.transaction(async (tx) => {
        const updated = await updateTranslation(tx, row.id, {
          ...(body.instructions === undefined ? {} : { instructions: readDocumentInput(body.instructions) }),
          ...(body.provider === undefined ? {} : { provider: body.provider }),
          ...(body.glossary === undefined ? {} : { glossary: readGlossaryInput(body.glossary) }),
        });
        if (updated === null) throw notFound('translation with this id in this organization');
        const fields = Object.keys(body);
        if (fields.length > 0) await record(tx, caller, 'translation.update', updated, { fields });
        return updated;
      });
      return presentTranslation(changed, effectiveRole, publicUrl);
    },

    async deleteTranslation({ caller, params }) {
      const { effectiveRole } = await requireOrganization(db, caller, params.organizationId, 'view');
      requireRole(effectiveRole, translationRights.edit, 'organization');
      const row = await loadTranslation(db, params.translationId);
      if (row === null || row.organizationId !== params.organizationId) return;
      if (!(await seesSource(caller, row))) return;
      await db.transaction(async (tx) => {
        await deleteTranslation(tx, row.id);
        await record(tx, caller, 'translation.delete', row);
      });
    },

    async runTranslation({ caller, params }) {
      const { row } = await requireTranslation(caller, params, 'edit');
      await db.transaction(async (tx) => {
        const requested = await requestTranslationRun(tx, row.id, {
          forPerson: caller.actor.kind !== 'server',
        });
        if (requested === null) throw notFound('translation with this id in this organization');
        await deps.queue.enqueue(
          tx,
          translationJob,
          { translationId: row.id },
          { unlessWaiting: true, retriesNow: true },
        );
        await record(tx, caller, 'translation.run', row);
      });
    },
  };
}
