import type { EmbeddedReference } from '../../contract/index.ts';
import {
  findFiles,
  findPages,
  findSpecsNamed,
  type LinkRow,
  loadOrganization,
  type OrganizationRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { allows, openApiRights, organizationRights } from '../access/roles.ts';
import { notFound } from '../api/api-error.ts';
import { loadMergedFrom } from '../change-requests/load-merged-from.ts';
import { viewChangeRequests } from '../change-requests/view-change-requests.ts';
import type { PlatformDeps } from '../deps.ts';
import { presentOpenAPISpec } from '../openapi/present-openapi-spec.ts';
import { presentOrganization } from '../organizations/present-organization.ts';
import { viewSpace } from '../spaces/view-spaces.ts';
import { isComputed } from './computed-links.ts';
import { presentFile, presentPage, presentRevision } from './present-content.ts';
import type { Presentation } from './presentation.ts';

type Deps = Pick<PlatformDeps, 'db' | 'publicUrl' | 'sealer'>;

/** What every reference into some content embeds, as the caller sees it. */
export type Surroundings = Required<Pick<EmbeddedReference, 'organization' | 'space' | 'versionContext'>>;

export interface References {
  target(row: LinkRow): EmbeddedReference;
  location(row: LinkRow): EmbeddedReference;
}

/** Loads what every reference into this content embeds. */
export async function loadSurroundings(
  deps: Deps,
  caller: Caller,
  view: Presentation,
): Promise<Surroundings> {
  const { db, publicUrl } = deps;
  const { space: row, organizationRole } = view;
  const organization = await loadOrganization(db, row.organizationId);
  if (organization === null) throw notFound('organization of this space');
  const isMember = allows(organizationRole, organizationRights.view);
  return {
    organization: presentOrganization(
      isMember ? organization : withoutSettings(organization),
      organizationRole,
      publicUrl,
    ),
    space: await viewSpace(deps, caller, row),
    versionContext: await presentVersion(deps, caller, view),
  };
}

/** An organization as those see it who may read only what a space of it shows to everybody. */
function withoutSettings(row: OrganizationRow): OrganizationRow {
  const hidden = { emailDomains: [], defaultRole: null, mergeRules: null, hostname: null, logo: null };
  return { ...row, ...hidden, sso: false, ai: false, inviteLinks: false };
}

async function presentVersion(
  deps: Deps,
  caller: Caller,
  view: Presentation,
): Promise<Surroundings['versionContext']> {
  const { space, changeRequest, effectiveRole } = view;
  if (changeRequest === null) {
    const mergedFrom = await loadMergedFrom(deps, caller, view);
    const revision = presentRevision({ pages: [], files: [], settings: [] }, view, mergedFrom);
    return { type: 'revision', revision };
  }
  const present = await viewChangeRequests(deps, caller, { space, effectiveRole }, [changeRequest]);
  return { type: 'changeRequest', changeRequest: present(changeRequest) };
}

/** Loads what the references of these links name, each once. */
export async function loadReferences(
  deps: Deps,
  rows: readonly LinkRow[],
  { view, surroundings }: { readonly view: Presentation; readonly surroundings: Surroundings },
): Promise<References> {
  const { db } = deps;
  const { revision } = view;
  const [pageRows, fileRows, specRows] = await Promise.all([
    findPages(db, revision, unique(rows.flatMap(({ pageId, targetPageId }) => [pageId, targetPageId]))),
    findFiles(db, revision, {
      ids: unique(rows.map(({ targetFileId }) => targetFileId)),
      paths: unique(rows.map(({ pageId, gitPath }) => (pageId === null ? gitPath : null))),
    }),
    findSpecsNamed(
      db,
      view.space.organizationId,
      unique(rows.map(({ targetKind, target }) => (targetKind === 'openapi' ? target : null))),
    ),
  ]);
  const pages = new Map(pageRows.map((row) => [row.id, presentPage(row, view)]));
  const files = new Map(fileRows.map((row) => [row.id, presentFile(row, view)]));
  const filesAt = new Map(fileRows.map((row) => [row.gitPath, files.get(row.id)]));
  const role = view.organizationRole;
  const readable = specRows.filter(
    ({ visibility }) => visibility === 'public' || allows(role, openApiRights.view),
  );
  const specs = new Map(
    readable.toReversed().flatMap((row) => {
      const spec = presentOpenAPISpec(row, role, deps);
      return [row.sourceUrl, row.slug].flatMap((name) => (name === null ? [] : [[name, spec] as const]));
    }),
  );
  const { organization } = surroundings;

  return {
    target(row) {
      const page = row.targetPageId === null ? undefined : pages.get(row.targetPageId);
      const file = row.targetFileId === null ? undefined : files.get(row.targetFileId);
      const openAPISpec = row.targetKind === 'openapi' ? specs.get(row.target) : undefined;
      if (row.status === 'broken') return { kind: 'url', url: row.target };
      if (openAPISpec !== undefined) return { kind: 'openapi', organization, openAPISpec };
      if (page !== undefined) return { kind: 'page', ...surroundings, page, ...anchorOf(row) };
      if (file !== undefined) return { kind: 'file', ...surroundings, file, ...anchorOf(row) };
      return { kind: 'url', url: row.targetUrl ?? row.target };
    },

    location(row) {
      const { gitPath: path, line, column, endLine, endColumn } = row;
      const position = isComputed(row) ? {} : { position: { path, line, column, endLine, endColumn } };
      const page = row.pageId === null ? undefined : pages.get(row.pageId);
      if (page !== undefined) return { kind: 'page', ...surroundings, page, ...position };
      const file = filesAt.get(path);
      if (file !== undefined) return { kind: 'file', ...surroundings, file, ...position };
      return { kind: 'space', ...surroundings, ...position };
    },
  };
}

function anchorOf({ targetAnchor }: LinkRow): Pick<EmbeddedReference, 'internalLocation'> {
  return targetAnchor === null ? {} : { internalLocation: { type: 'anchor', anchor: targetAnchor } };
}

function unique(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter((name) => name !== null))];
}
