import Type from 'typebox';
import Value from 'typebox/value';
import { type AnswerOf, OpenAPISlug, type OpenAPISource, type Operations } from '../../contract/index.ts';
import {
  type AuditEvent,
  type Db,
  deleteSpec,
  diffFields,
  findSpec,
  insertSpec,
  listSpecs,
  listVersions,
  loadVersion,
  loadVersionChanges,
  loadVersionContent,
  newId,
  type OpenApiSpecRow,
  type OpenApiVersionRow,
  recordAudit,
  renewSource,
  saveUpload,
  setVisibility,
} from '../../store/index.ts';
import { authenticate } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows, openApiRights } from '../access/roles.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import { type HandlersOf, SerializedAnswer } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { openapiJob } from './openapi-job.ts';
import { readPageOperations } from './page-operations.ts';
import { documentAddress, presentOpenAPISpec, presentVersion } from './present-openapi-spec.ts';
import { requireSpec, type SpecParams } from './require-spec.ts';
import { readSpecBacklinks } from './spec-backlinks.ts';
import { packUpload, parseSpecSource, toSourceColumns } from './spec-source.ts';
import { readVersionFiles, streamDocument } from './version-content.ts';

function isSlug(text: string): boolean {
  return Value.Check(OpenAPISlug, text);
}

const VersionKey = Type.Integer({ minimum: 0 });

export function openapiHandlers(deps: PlatformDeps): HandlersOf<'openapi'> {
  const { db, publicUrl } = deps;

  /** Records what was done with a specification, in the transaction of the change. */
  async function record(
    tx: Db,
    caller: Caller,
    action: `openapi.${string}`,
    spec: OpenApiSpecRow,
    fields: Pick<AuditEvent, 'before' | 'after'> = {},
  ): Promise<void> {
    await recordAudit(tx, {
      organizationId: spec.organizationId,
      action,
      actor: caller.actor,
      target: { kind: 'openapi-spec', id: spec.id, name: spec.slug },
      ...fields,
    });
  }

  /** Stores a source and enqueues the job that reads it, in one transaction. Null if the slug is taken. */
  async function saveSource(
    caller: Caller,
    target: { readonly organizationId: string; readonly slug: string; readonly mayExist: boolean },
    source: OpenAPISource,
  ): Promise<OpenApiSpecRow | null> {
    const parsed = parseSpecSource(source);
    const columns = toSourceColumns(parsed, deps.sealer);
    const content = parsed.kind === 'upload' ? await packUpload(parsed.upload) : null;
    const { organizationId, slug } = target;
    return await db.transaction(async (tx) => {
      const created = await insertSpec(tx, { id: newId(), organizationId, slug, ...columns });
      const existing = created || !target.mayExist ? null : await findSpec(tx, organizationId, slug);
      const spec = created ?? (existing && (await renewSource(tx, existing.id, columns)));
      if (!spec) return null;
      if (content) await saveUpload(tx, { specId: spec.id, generation: spec.generation, content });
      await deps.queue.enqueue(tx, openapiJob, { specId: spec.id });
      // The scheduler renews sources as they change in repositories.
      if (created || caller.actor.kind !== 'server')
        await record(tx, caller, created ? 'openapi.create' : 'openapi.update', spec, {
          after: { source: parsed.kind },
        });
      return spec;
    });
  }

  async function requireVersion(
    caller: Caller,
    params: SpecParams & { readonly versionId?: string },
  ): Promise<{ readonly spec: OpenApiSpecRow; readonly version: OpenApiVersionRow }> {
    const { spec } = await requireSpec(db, caller, params, 'view');
    const isLatest = params.versionId === undefined || params.versionId === 'latest';
    const id = isLatest ? spec.lastVersionId : params.versionId;
    const version = id ? await loadVersion(db, spec.id, id) : null;
    if (!version) {
      throw notFound(
        isLatest ? 'version of this specification yet' : 'version of this specification with this id',
      );
    }
    return { spec, version };
  }

  async function contentOf(version: OpenApiVersionRow) {
    const content = await loadVersionContent(db, version.id);
    if (!content) throw notFound('version of this specification with this id');
    return content;
  }

  async function readContent(
    caller: Caller,
    params: SpecParams & { readonly versionId?: string },
    identify: (version: string) => string,
  ): Promise<AnswerOf<Operations['getOpenAPISpecVersionContent']>> {
    const { spec, version } = await requireVersion(caller, params);
    identify(version.id);
    const url = JSON.stringify(documentAddress(spec, version.id, publicUrl));
    // The files are stored as JSON, of megabytes.
    const files = await readVersionFiles(await contentOf(version));
    return new SerializedAnswer(`{"filesystem":${files},"url":${url}}`) as never;
  }

  return {
    async listOpenAPISpecs({ caller, params, query }) {
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        'view',
      );
      const limit = limitOf(query);
      const list = `openapi of ${organization.id}`;
      const found = await listSpecs(db, organization.id, {
        publicOnly: !allows(effectiveRole, openApiRights.view),
        after: readAgeCursor(list, query),
        limit: limit + 1,
      });
      const present = (row: OpenApiSpecRow) => presentOpenAPISpec(row, effectiveRole, deps);
      return toList(found, { list, limit, keyOf: ageKeyOf, present });
    },

    async createOpenAPISpec({ caller, params, body }) {
      const right = 'createOpenAPISpec';
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        right,
      );
      const target = { organizationId: organization.id, slug: body.slug, mayExist: false };
      const spec = await saveSource(caller, target, body.source);
      if (spec) return presentOpenAPISpec(spec, effectiveRole, deps);
      throw new ApiError(
        'slug-taken',
        `The slug ${body.slug} is already used in this organization; choose another one, or replace the specification with PUT.`,
      );
    },

    async getOpenAPISpec({ caller, params }) {
      const { spec, effectiveRole } = await requireSpec(db, caller, params, 'view');
      return presentOpenAPISpec(spec, effectiveRole, deps);
    },

    async putOpenAPISpec({ caller, params, body }) {
      const right = 'createOpenAPISpec';
      const { organization, effectiveRole } = await requireOrganization(
        db,
        caller,
        params.organizationId,
        right,
      );
      if (!isSlug(params.specSlug)) {
        throw new ApiError(
          'invalid-request',
          'The slug in the path must be at most 100 characters: letters and digits with single hyphens between them.',
        );
      }
      const target = { organizationId: organization.id, slug: params.specSlug, mayExist: true };
      const spec = await saveSource(caller, target, body.source);
      if (!spec) throw notFound('OpenAPI specification with this slug in this organization');
      return presentOpenAPISpec(spec, effectiveRole, deps);
    },

    async updateOpenAPISpec({ caller, params, body }) {
      const { spec, effectiveRole } = await requireSpec(db, caller, params, 'edit');
      const row = await db.transaction(async (tx) => {
        const changed = await setVisibility(tx, spec.id, body.visibility);
        if (!changed) throw notFound('OpenAPI specification with this slug in this organization');
        const diff = diffFields(spec, changed, ['visibility']);
        if (diff !== null) await record(tx, caller, 'openapi.update', changed, diff);
        return changed;
      });
      return presentOpenAPISpec(row, effectiveRole, deps);
    },

    async deleteOpenAPISpec({ caller, params }) {
      await requireOrganization(db, caller, params.organizationId, 'createOpenAPISpec');
      const spec = await findSpec(db, params.organizationId, params.specSlug);
      if (!spec) return;
      await db.transaction(async (tx) => {
        await deleteSpec(tx, spec.id);
        await record(tx, caller, 'openapi.delete', spec);
      });
    },

    async listOpenAPISpecVersions({ caller, params, query }) {
      const { spec } = await requireSpec(db, caller, params, 'view');
      const limit = limitOf(query);
      const list = `versions of ${spec.id}`;
      const before = readCursor(list, VersionKey, query);
      const found = await listVersions(db, spec.id, { before, limit: limit + 1 });
      const present = (row: OpenApiVersionRow) => presentVersion(row, spec, publicUrl);
      return toList(found, { list, limit, keyOf: (row) => row.sequence, present });
    },

    async getLatestOpenAPISpecVersion({ caller, params }) {
      const { spec, version } = await requireVersion(caller, params);
      return presentVersion(version, spec, publicUrl);
    },

    async getOpenAPISpecVersion({ caller, params }) {
      const { spec, version } = await requireVersion(caller, params);
      return presentVersion(version, spec, publicUrl);
    },

    getLatestOpenAPISpecVersionContent: ({ caller, params, identify }) =>
      readContent(caller, params, identify),
    getOpenAPISpecVersionContent: ({ caller, params, identify }) => readContent(caller, params, identify),

    async getOpenAPIDocument({ caller, params, request, setHeader }) {
      // Open to everybody, but a token identifies the caller if one is sent.
      const { authorization } = request.headers;
      const reader =
        authorization === undefined ? caller : await authenticate(db, authorization, request.origin);
      const { version } = await requireVersion(reader, params);
      setHeader('content-type', 'application/json; charset=utf-8');
      setHeader('cache-control', 'private, no-cache');
      return streamDocument(await contentOf(version));
    },

    async listOpenAPIChanges({ caller, params }) {
      const { version } = await requireVersion(caller, params);
      const stored = (await loadVersionChanges(db, version.id)) as {
        changes: AnswerOf<Operations['listOpenAPIChanges']>['items'];
        total: number;
        breaking: number;
      } | null;
      return { total: stored?.total ?? 0, breaking: stored?.breaking ?? 0, items: stored?.changes ?? [] };
    },

    listOpenAPISpecBacklinks: (input) => readSpecBacklinks(db, input),
    listPageOperations: ({ caller, params }) => readPageOperations(deps, caller, params),
  };
}
