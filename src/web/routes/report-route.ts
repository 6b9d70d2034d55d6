import type { FastifyInstance } from 'fastify';
import { isApiReport } from '../../content/report/index.ts';
import { renderApiReportPage } from '../api-report-page.ts';
import { renderReportPage } from '../report-page.ts';
import type { PagesContext } from './signed-in.ts';
import { renderNotFound } from './signed-in.ts';

/** `/reports/:id`: open to everyone who has the address, which cannot be guessed. */
export function registerReport(app: FastifyInstance, context: PagesContext): void {
  app.get<{ Params: { id: string } }>('/reports/:id', async (request, reply) => {
    const { id } = request.params;
    const report = /^[\w-]{8,64}$/.test(id) ? await context.loadReport(id) : null;
    if (report === null) return reply.code(404).send(renderNotFound(await context.sessions.read(request)));
    return isApiReport(report) ? renderApiReportPage(report) : renderReportPage(report);
  });
}
