import type { EmailDomain } from '../../contract/index.ts';
import type { EmailDomainRow } from '../../store/index.ts';

/** The record in the DNS that proves a domain, as people enter it. */
export function recordOf(row: Pick<EmailDomainRow, 'domain' | 'challenge'>): EmailDomain['record'] {
  return { type: 'TXT', name: `_docloom.${row.domain}`, value: `docloom-domain=${row.challenge}` };
}

export function presentEmailDomain(row: EmailDomainRow): EmailDomain {
  return {
    object: 'email-domain',
    domain: row.domain,
    status: row.provedAt === null ? 'pending' : 'proved',
    record: recordOf(row),
    createdAt: row.createdAt.toISOString(),
    ...(row.provedAt === null ? {} : { provedAt: row.provedAt.toISOString() }),
  };
}
