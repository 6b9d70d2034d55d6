import { randomBytes } from 'node:crypto';
import { resolveTxt } from '../../net/index.ts';
import {
  claimEmailDomain,
  deleteEmailDomain,
  type EmailDomainRow,
  listEmailDomains,
  loadEmailDomain,
  lockOrganization,
  recordAudit,
  setEmailDomainProved,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ApiError, invalid, notFound } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { recordOf } from './present-email-domain.ts';

type Deps = Pick<PlatformDeps, 'db' | 'resolveTxt'>;

/** What an organization can claim at most. */
const MOST_DOMAINS = 100;

/** A domain as it is stored. @throws {ApiError} for what is none */
export function toDomain(text: string): string {
  const domain = text.toLowerCase();
  const isDomain =
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(domain) &&
    domain.length <= 253;
  if (!isDomain) throw invalid('/params/emailDomain', 'must be a domain, for example example.com');
  return domain;
}

export async function claimDomain(
  { db }: Deps,
  caller: Caller,
  organizationId: string,
  domain: string,
): Promise<EmailDomainRow> {
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const known = await loadEmailDomain(tx, organizationId, domain);
    if (known !== null) return known;
    const { count } = await listEmailDomains(tx, organizationId, { after: null, limit: 1 });
    if (count >= MOST_DOMAINS)
      throw invalid(
        '/params/emailDomain',
        `would be more than the ${MOST_DOMAINS} that an organization may claim`,
      );
    const challenge = randomBytes(20).toString('hex');
    const row = await claimEmailDomain(tx, { organizationId, domain, challenge });
    await record(tx, caller, row, 'claim');
    return row;
  });
}

/** Looks for the record in the DNS. @throws {ApiError} while it is not there */
export async function proveDomain(
  deps: Deps,
  caller: Caller,
  organizationId: string,
  domain: string,
): Promise<EmailDomainRow> {
  const { db } = deps;
  const row = await loadEmailDomain(db, organizationId, domain);
  if (row === null) throw notFound('e-mail domain of this name in this organization');
  if (row.provedAt !== null) return row;
  const { name, value } = recordOf(row);
  const found = await (deps.resolveTxt ?? resolveTxt)(name).catch(() => undefined);
  if (found === undefined)
    throw new ApiError('domain-not-proved', `The DNS did not answer for ${name}; try again in a minute.`);
  if (found === null || !found.includes(value))
    throw new ApiError(
      'domain-not-proved',
      `The DNS has no TXT record ${name} with the value ${value}; add it, and try again when it is published.`,
    );
  return await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const proved = await setEmailDomainProved(tx, organizationId, domain);
    if (proved === null) throw notFound('e-mail domain of this name in this organization');
    await record(tx, caller, proved, 'prove');
    return proved;
  });
}

export async function withdrawDomain(
  { db }: Deps,
  caller: Caller,
  organizationId: string,
  domain: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (await deleteEmailDomain(tx, organizationId, domain))
      await record(tx, caller, { organizationId, domain }, 'delete');
  });
}

async function record(
  tx: Parameters<typeof recordAudit>[0],
  caller: Caller,
  { organizationId, domain }: Pick<EmailDomainRow, 'organizationId' | 'domain'>,
  what: 'claim' | 'prove' | 'delete',
): Promise<void> {
  await recordAudit(tx, {
    organizationId,
    action: `email-domain.${what}`,
    actor: caller.actor,
    target: { kind: 'email-domain', id: domain, name: domain },
  });
}
