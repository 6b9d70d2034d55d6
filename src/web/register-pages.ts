import type { FastifyInstance } from 'fastify';
import type { Report } from '../content/report.ts';
import { renderMissingPage, renderReportPage, renderUnfinishedReportPage } from './report-page.ts';

/** A report as it is kept: `report` is empty until the check has done its work. */
export interface KeptReport {
  readonly repository: string;
  readonly pullNumber: number;
  readonly conclusion: string;
  readonly report: unknown;
}

export interface PagesDeps {
  /** Null when there is none of this id. */
  readonly loadReport: (id: string) => Promise<KeptReport | null>;
}

/** No scripts, nothing from elsewhere: names from repositories stay text even if an escape were forgotten. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REPORT_ID = /^[\w-]{1,20}$/;

/** The pages for people. A report's address holds 120 random bits and is the key to it: who has it may read. */
export function registerPages(fastify: FastifyInstance, deps: PagesDeps): void {
  fastify.get<{ Params: { id: string } }>('/reports/:id', async (request, reply) => {
    const { id } = request.params;
    const kept = REPORT_ID.test(id) ? await deps.loadReport(id) : null;
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'private, no-cache')
      .header('x-content-type-options', 'nosniff');
    if (kept === null) return reply.code(404).send(renderMissingPage());
    return reply.send(
      isReport(kept.report) ? renderReportPage(kept.report) : renderUnfinishedReportPage(kept),
    );
  });
}

/** Reports are written by `buildReport` only; one of another version is not shown as if it were of this one. */
function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}
