import { Readable } from 'node:stream';
import Type from 'typebox';
import { maximumAuditCount, type Operations, type QueryOf } from '../../contract/index.ts';
import {
  type AuditFilter,
  countAuditEvents,
  type Db,
  hasLiveCredentials,
  listAuditEvents,
  loadMember,
  recordAudit,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { effectiveRoleAt } from '../access/effective-role.ts';
import { requireOrganization } from '../access/require-organization.ts';
import { allows } from '../access/roles.ts';
import { invalid } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import { parseMoment } from '../api/parse-moment.ts';
import type { PlatformDeps } from '../deps.ts';
import { loadMembership } from '../members/load-membership.ts';
import { presentEvent } from './present-event.ts';

/** Ids are 64 bits long, so they are texts. */
const Key = Type.String({ pattern: '^[0-9]{1,18}$' });

/** Events that are read at once for an export. */
const EXPORT_BATCH = 1_000;

export function auditHandlers({ db }: PlatformDeps): HandlersOf<'audit'> {
  return {
    async listAuditEvents({ caller, params, query }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const limit = limitOf(query);
      const filter = readFilter(query);
      const key = readCursor('audit', Key, query);
      const before = key === null ? null : BigInt(key);
      const rows = await listAuditEvents(db, organization.id, filter, { before, limit: limit + 1 });
      const count = await countAuditEvents(db, organization.id, filter, {
        limit: maximumAuditCount,
      });
      return toList(
        { count, rows },
        { list: 'audit', limit, keyOf: ({ id }) => String(id), present: presentEvent },
      );
    },

    async exportAuditEvents({ caller, params, query, setHeader }) {
      const { organization } = await requireOrganization(db, caller, params.organizationId, 'admin');
      const filter = readFilter(query);
      const [newest] = await listAuditEvents(db, organization.id, NO_FILTER, { before: null, limit: 1 });
      await recordAudit(db, {
        organizationId: organization.id,
        action: 'audit.export',
        actor: caller.actor,
        target: { kind: 'organization', id: organization.id, name: organization.title },
      });
      setHeader('content-type', 'application/x-ndjson; charset=utf-8');
      setHeader('content-disposition', 'attachment; filename="audit.ndjson"');
      setHeader('cache-control', 'private, no-store');
      const mayRead = () => mayStillAdminister(db, caller, organization.id);
      return Readable.from(exportLines(db, organization.id, filter, (newest?.id ?? 0n) + 1n, mayRead));
    },
  };
}

/** Whether somebody whose request began as an administrator's is one still, with the same token and session. */
async function mayStillAdminister(db: Db, caller: Caller, organizationId: string): Promise<boolean> {
  if (!(await hasLiveCredentials(db, caller.actor, new Date()))) return false;
  const view = await loadMember(db, organizationId, caller.user.id);
  return view !== null && allows(effectiveRoleAt(await loadMembership(db, view.member)), 'admin');
}

/**
 * The lines of the events before an id; a batch is read when the one before it was sent. A slow reader takes long, so each
 * batch needs the right anew: the answer breaks off when it has gone.
 */
async function* exportLines(
  db: Db,
  organizationId: string,
  filter: AuditFilter,
  end: bigint,
  mayRead: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  for (let before = end; ; ) {
    if (!(await mayRead()))
      throw new Error('The export of the audit log was ended: its reader lost the right to it.');
    const rows = await listAuditEvents(db, organizationId, filter, { before, limit: EXPORT_BATCH });
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentEvent(row))}\n`).join('');
    const last = rows.at(-1);
    if (rows.length < EXPORT_BATCH || last === undefined) return;
    before = last.id;
  }
}

const NO_FILTER: AuditFilter = {
  action: null,
  actor: null,
  target: null,
  outcome: null,
  since: null,
  until: null,
};

function readFilter(query: QueryOf<Operations['exportAuditEvents']>): AuditFilter {
  const { since, until, action, actor, target, outcome } = query;
  return {
    action: action ?? null,
    actor: actor ?? null,
    target: target ?? null,
    outcome: outcome ?? null,
    since: readMoment('since', since),
    until: readMoment('until', until),
  };
}

function readMoment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = parseMoment(text);
  if (moment === null) throw invalid(`/query/${name}`, 'is not a date that exists');
  return moment;
}
