import type { Mailer } from '../../identity/index.ts';
import { type ResolveTxt, resolveTxt } from '../../net/index.ts';
import {
  claimDueDomain,
  type Database,
  type EmailDomainRow,
  listAdministratorAddresses,
  loadEmailDomain,
  lockOrganization,
  recordAudit,
  setEmailDomainMissing,
} from '../../store/index.ts';
import { recordOf } from './present-email-domain.ts';

/** For how many days the record of a proved domain may be missing before the domain counts as not proved. */
export const MISSING_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Of one call, so that it ends. */
const MOST_DOMAINS = 500;

interface Deps {
  readonly db: Database;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly resolveTxt?: ResolveTxt;
  readonly now?: () => Date;
}

/**
 * Looks in the DNS again for the records of proved domains, of each once a day, in whatever process. A domain whose record
 * is missing for a week counts as not proved: it may belong to somebody else by now. Administrators are told when it is
 * missing first, and when it counts as not proved. While the DNS does not answer, nothing changes. Returns how many domains
 * were looked at.
 */
export async function recheckDomains(deps: Deps, signal: AbortSignal): Promise<number> {
  const { db, now = () => new Date() } = deps;
  for (let count = 0; count < MOST_DOMAINS; count++) {
    signal.throwIfAborted();
    const at = now();
    const row = await claimDueDomain(db, { now: at, before: new Date(at.getTime() - DAY_MS) });
    if (row === null) return count;
    const { name, value } = recordOf(row);
    const found = await (deps.resolveTxt ?? resolveTxt)(name).catch(() => undefined);
    if (found !== undefined) await settle(deps, row, found?.includes(value) === true, at);
  }
  return MOST_DOMAINS;
}

async function settle(
  { db, mailer, publicUrl }: Deps,
  { organizationId, domain, challenge }: EmailDomainRow,
  isThere: boolean,
  at: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const row = await loadEmailDomain(tx, organizationId, domain);
    // Withdrawn, or claimed anew, meanwhile.
    if (row === null || row.provedAt === null || row.challenge !== challenge) return;
    const { missingSince } = row;
    if (isThere) {
      if (missingSince !== null) await setEmailDomainMissing(tx, row, { missingSince: null, isProved: true });
      return;
    }
    const isLost = missingSince !== null && at.getTime() - missingSince.getTime() >= MISSING_DAYS * DAY_MS;
    if (missingSince !== null && !isLost) return;
    await setEmailDomainMissing(tx, row, { missingSince: isLost ? null : at, isProved: !isLost });
    const record = recordOf(row);
    await recordAudit(tx, {
      organizationId,
      action: isLost ? 'email-domain.lapse' : 'email-domain.miss',
      outcome: 'failure',
      reason: `The DNS has no TXT record ${record.name} with the value ${record.value}.`,
      actor: { kind: 'server', id: null, name: 'the daily check of e-mail domains' },
      target: { kind: 'email-domain', id: domain, name: domain },
    });
    if (!mailer.isSet) return;
    for (const to of await listAdministratorAddresses(tx, organizationId))
      await mailer.enqueue(tx, {
        template: 'domain-missing',
        to,
        organizationId,
        values: {
          url: `${publicUrl}/orgs/${organizationId}/sso`,
          domain,
          name: record.name,
          value: record.value,
          days: isLost ? null : MISSING_DAYS,
        },
      });
  });
}
