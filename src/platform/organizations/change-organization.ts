import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  diffFields,
  isHostnameTaken,
  loadOrganization,
  loadSite,
  lockHostname,
  lockOrganization,
  type OrganizationRow,
  recordAudit,
  updateOrganization,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { requireWayIn } from '../access/require-way-in.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { checkMergeRules } from './check-merge-rules.ts';

const SETTINGS = [
  'title',
  'emailDomains',
  'hostname',
  'defaultRole',
  'logo',
  'sso',
  'ai',
  'inviteLinks',
  'mergeRules',
  'defaultSiteId',
] as const;

/** Changes the fields of an organization that the request contains. */
export async function changeOrganization(
  { db }: Pick<PlatformDeps, 'db'>,
  caller: Caller,
  organizationId: string,
  body: BodyOf<Operations['updateOrganization']>,
): Promise<OrganizationRow> {
  const { mergeRules, defaultContent, emailDomains, ...fields } = body;
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    if (defaultContent !== undefined && (await loadSite(tx, organizationId, defaultContent.site)) === null)
      throw invalid('/body/defaultContent/site', 'is not a site of this organization');
    const before = await loadOrganization(tx, organizationId);
    const { hostname } = fields;
    if (hostname != null) await lockHostname(tx, hostname);
    if (hostname != null && (await isHostnameTaken(tx, hostname, organizationId))) {
      throw new ApiError('hostname-taken', `The hostname ${hostname} belongs to another organization.`);
    }
    if (fields.sso === true && before?.sso === false) await requireWayIn(tx, caller, organizationId);
    const row = await updateOrganization(tx, organizationId, {
      ...fields,
      ...(defaultContent === undefined ? {} : { defaultSiteId: defaultContent.site }),
      ...(emailDomains === undefined ? {} : { emailDomains: [...new Set(emailDomains)] }),
      ...(mergeRules === undefined
        ? {}
        : { mergeRules: await checkMergeRules(tx, organizationId, mergeRules) }),
    });
    if (!before || !row) throw notFound('organization with this id');
    const diff = diffFields(before, row, SETTINGS);
    if (diff !== null)
      await recordAudit(tx, {
        organizationId,
        action: 'organization.update',
        actor: caller.actor,
        target: { kind: 'organization', id: organizationId, name: row.title },
        ...diff,
      });
    return row;
  });
}
