import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { auditOutcomes, type InputOf, operations } from '../../client/index.ts';
import { organizationPath } from '../addresses.ts';
import { type AuditFilterForm, renderAuditLog } from '../views/audit-view.ts';
import { readFormProblem } from './form-problem.ts';
import { type InOrganization, inOrganization, UnusableInput } from './in-organization.ts';
import { nextPage, pageOf } from './list-page.ts';
import { readText } from './read-text.ts';
import type { PagesContext } from './signed-in.ts';

const SHOWN = 50;
const DAY_MS = 24 * 60 * 60_000;

type Query = NonNullable<InputOf<typeof operations.exportAuditEvents>['query']>;

/** `/orgs/<id>/audit`: what was done in an organization, and the same as a file. */
export function registerAudit(app: FastifyInstance, context: PagesContext): void {
  // Words of the address stand beside the private text of pages.
  const options = { compress: false } as const;

  async function show(call: InOrganization<unknown>, form: AuditFilterForm): Promise<string> {
    const { client, organization, session, request, reply } = call;
    const params = { organizationId: organization.id };
    const path = organizationPath(organization.id, 'audit');
    const page = (found: Pick<Parameters<typeof renderAuditLog>[0], 'events' | 'more' | 'problem'>) =>
      renderAuditLog({ organization, form, query: toAddress(form), user: session, ...found });
    try {
      const { items, next } = await client.call(operations.listAuditEvents, {
        params,
        query: { limit: SHOWN, ...toQuery(form), ...pageOf(request) },
      });
      return page({ events: items, more: nextPage(path, next, toAddress(form)), problem: null });
    } catch (error) {
      const problem =
        error instanceof UnusableInput
          ? { status: 400, sentence: error.message }
          : readFormProblem(error, LABELS);
      reply.code(problem.status);
      return page({ events: [], more: null, problem: problem.sentence });
    }
  }

  app.get(
    '/orgs/:organizationId/audit',
    options,
    inOrganization(context, 'audit', (call) => show(call, readForm(call.request.query))),
  );

  app.get(
    '/orgs/:organizationId/audit.ndjson',
    options,
    inOrganization(context, 'audit', async (call) => {
      const { client, organization, request, reply } = call;
      const form = readForm(request.query);
      let lines: Readable;
      try {
        lines = await client.stream(operations.exportAuditEvents, {
          params: { organizationId: organization.id },
          query: toQuery(form),
        });
      } catch (error) {
        if (!(error instanceof UnusableInput)) readFormProblem(error);
        return reply.send(await show(call, form));
      }
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.ndjson"')
        .header('cache-control', 'no-store')
        .send(lines);
    }),
  );
}

/** How the platform's messages call the fields of the form. */
const LABELS = { action: 'The action', actor: 'The user', target: 'The thing' };

function readForm(query: unknown): AuditFilterForm {
  return {
    action: readText(query, 'action', 200).trim(),
    actor: readText(query, 'actor', 100).trim(),
    target: readText(query, 'target', 100).trim(),
    outcome: readText(query, 'outcome', 20),
    from: readText(query, 'from', 10),
    to: readText(query, 'to', 10),
  };
}

/** The fields that are filled in, as an address has them. */
function toAddress(form: AuditFilterForm): Record<string, string> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}

function toQuery({ action, actor, target, outcome, from, to }: AuditFilterForm): Query {
  const known = auditOutcomes.find((one) => one === outcome);
  return {
    ...(action !== '' && { action }),
    ...(actor !== '' && { actor }),
    ...(target !== '' && { target }),
    ...(known !== undefined && { outcome: known }),
    ...(from !== '' && { since: startOf(from).toISOString() }),
    // The last day belongs to it.
    ...(to !== '' && { until: new Date(startOf(to).getTime() + DAY_MS).toISOString() }),
  };
}

function startOf(day: string): Date {
  const start = new Date(`${day}T00:00:00.000Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(start.getTime()))
    throw new UnusableInput('Enter days as 2026-11-23.');
  return start;
}
