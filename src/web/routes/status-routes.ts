import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations, type PlatformClient, PlatformError } from '../../client/index.ts';
import { statusPath } from '../addresses.ts';
import type { StatusPages, StatusSubject } from '../status-pages.ts';
import { type ActionName, describeAction, isActionName } from '../views/describe-action.ts';
import { renderMessage } from '../views/message-view.ts';
import { renderStatus, type StatusFilter } from '../views/status-view.ts';
import { loadVisibleRepository, type VisibleRepository } from './load-visible-status.ts';
import { needsAttention } from './needs-attention.ts';
import { ownForm } from './own-forms.ts';
import { readText } from './read-text.ts';
import { type PagesContext, renderNotFound, signedIn } from './signed-in.ts';

interface VisiblePage {
  readonly repositories: readonly VisibleRepository[];
  readonly next: string | null;
}

/** Which repositories somebody wants to see. */
function readFilter(query: unknown): StatusFilter {
  return {
    find: readText(query, 'find', 100).trim(),
    onlyAttention: readText(query, 'attention') === '1',
  };
}

function filterFields({ find, onlyAttention }: StatusFilter): Readonly<Record<string, string>> {
  return { ...(find === '' ? {} : { find }), ...(onlyAttention ? { attention: '1' } : {}) };
}

const REPOSITORY_ID = /^\d{1,15}$/;

/** How soon a page that shows running work is loaded again. */
const REFRESH_SECONDS = 2;

/** How many pages of all repositories are searched for one page of those that the user may see. */
const MAX_LISTS = 8;

/** `/status`, and the same as JSON at `/status.json`: what is live, what is running, what failed and why. */
export function registerStatus(app: FastifyInstance, context: PagesContext, status: StatusPages): void {
  const isAdministrator = async (token: string) => (await context.setup?.isAdministrator(token)) ?? false;

  async function loadPage(token: string, client: PlatformClient, query: unknown): Promise<VisiblePage> {
    const { after } = (query ?? {}) as { after?: unknown };
    const isAdmin = await isAdministrator(token);
    const { find, onlyAttention } = readFilter(query);
    const repositories: VisibleRepository[] = [];
    let from = typeof after === 'string' ? after.slice(0, 300) : null;
    for (let round = 0; round < MAX_LISTS; round++) {
      const list = await status.list(from, find);
      for (const repository of list.repositories) {
        const visible = await loadVisibleRepository(client, repository, isAdmin);
        if (visible !== null && (!onlyAttention || needsAttention(visible))) repositories.push(visible);
      }
      from = list.next;
      if (from === null || repositories.length > 0) break;
    }
    return { repositories, next: from };
  }

  /** What became of the button that the address tells of; `again` is the address that shows more, while it runs. */
  async function describeNews(token: string, client: PlatformClient, query: unknown) {
    const { done, of, look } = query as { done?: unknown; of?: unknown; look?: unknown };
    if (!isActionName(done)) return null;
    const looks = typeof look === 'string' && /^\d{1,3}$/.test(look) ? Number(look) : 0;
    const id = typeof of === 'string' && REPOSITORY_ID.test(of) ? Number(of) : null;
    const found = id === null ? null : await status.find(id);
    const visible = found && (await loadVisibleRepository(client, found, await isAdministrator(token)));
    const news = describeAction(done, visible, looks);
    if (!news.isUnderWay) return { ...news, again: null };
    const about = visible === null ? '' : `&of=${visible.repository.id}`;
    return { ...news, again: `${statusPath}?done=${done}${about}&look=${looks + 1}` };
  }

  app.get(
    statusPath,
    signedIn(context, async ({ client, session, request, reply }) => {
      const { repositories, next } = await loadPage(session.token, client, request.query);
      const news = await describeNews(session.token, client, request.query);
      // Browsers obey the header without a script, and the page keeps no element that reloads it.
      if (news !== null && news.again !== null)
        reply.header('refresh', `${REFRESH_SECONDS}; url=${news.again}`);
      const filter = readFilter(request.query);
      return renderStatus({
        repositories,
        filter,
        more:
          next === null
            ? null
            : `${statusPath}?${new URLSearchParams({ ...filterFields(filter), after: next })}`,
        news,
        work: (await isAdministrator(session.token)) ? await status.work() : null,
        isConnected: context.setup?.isConnected() ?? true,
        isLive: context.watchStatus !== undefined,
        user: session,
        now: context.now(),
      });
    }),
  );

  app.get(`${statusPath}.json`, async (request, reply) => {
    reply.type('application/json; charset=utf-8');
    const token = bearerOf(request) ?? (await context.sessions.read(request))?.token ?? null;
    if (token === null)
      return reply.code(401).send(problem(401, 'Send an API token: Authorization: Bearer …'));
    try {
      const { repositories, next } = await loadPage(token, context.clientFor(token), request.query);
      const work = (await isAdministrator(token)) ? { work: await status.work() } : {};
      return reply.send(JSON.stringify({ items: repositories.map(present), next, ...work }));
    } catch (error) {
      if (error instanceof PlatformError && error.status === 401)
        return reply.code(401).send(problem(401, 'This token is not known here, or has expired.'));
      throw error;
    }
  });

  const guarded = ownForm(context, 1024);

  /** Does something with the repository of the request's address, for users who may start a sync of it. */
  async function runAction(
    request: FastifyRequest,
    reply: FastifyReply,
    action: (repositoryId: number, visible: VisibleRepository, client: PlatformClient) => Promise<ActionName>,
    recorded: string | null,
  ): Promise<FastifyReply | string> {
    return signedIn<{ repositoryId: string }>(context, async ({ client, session, params }) => {
      const id = REPOSITORY_ID.test(params.repositoryId) ? Number(params.repositoryId) : null;
      const found = id === null ? null : await status.find(id);
      const visible =
        found && (await loadVisibleRepository(client, found, await isAdministrator(session.token)));
      if (id === null || !visible) return reply.code(404).send(renderNotFound(session));
      if (!visible.maySync)
        return reply.code(403).send(
          renderMessage({
            title: 'Not allowed',
            sentence: 'Your role in these spaces does not let you start a sync. Ask an administrator.',
            user: session,
          }),
        );
      const done = await action(id, visible, client);
      if (done === 'changed' || done === 'gone') return reply.redirect(`${statusPath}?done=${done}`, 303);
      if (recorded !== null) {
        const target = { kind: 'repository', id: String(id), name: visible.repository.name };
        await context.recordAction?.(session.token, { action: recorded, target });
      }
      return reply.redirect(`${statusPath}?done=${done}&of=${id}`, 303);
    })(request, reply);
  }

  app.post(`${statusPath}/:repositoryId/sync`, guarded, (request, reply) =>
    runAction(
      request,
      reply,
      async (id) => {
        await status.sync(id);
        return 'sync';
      },
      'repository.sync',
    ),
  );

  app.post(`${statusPath}/:repositoryId/specifications/:name/read`, guarded, (request, reply) =>
    runAction(
      request,
      reply,
      async (id, { specifications }) => {
        const { name } = request.params as { name: string };
        if (!specifications.some(({ spec }) => spec.name === name)) return 'changed';
        await status.readSpecification(id, name);
        return 'read';
      },
      'repository.read-specification',
    ),
  );

  app.post(`${statusPath}/:repositoryId/translations/:translationId/run`, guarded, (request, reply) =>
    runAction(
      request,
      reply,
      async (_id, { translations }, client) => {
        const { translationId } = request.params as { translationId: string };
        const found = translations.find(({ live }) => live?.id === translationId);
        if (!found?.live?.permissions.edit) return 'changed';
        const { organizationId } = found.translation;
        await client.call(operations.runTranslation, { params: { organizationId, translationId } });
        return 'run';
      },
      null,
    ),
  );

  app.post(`${statusPath}/jobs/:jobId/retry`, guarded, (request, reply) =>
    signedIn<{ jobId: string }>(context, async ({ session, params }) => {
      if (!(await isAdministrator(session.token))) return reply.code(404).send(renderNotFound(session));
      const isRetried = /^[\da-f-]{36}$/.test(params.jobId) && (await status.retryAny(params.jobId));
      if (isRetried)
        await context.recordAction?.(session.token, {
          action: 'job.retry',
          target: { kind: 'job', id: params.jobId, name: null },
        });
      return reply.redirect(`${statusPath}?done=${isRetried ? 'retry' : 'gone'}`, 303);
    })(request, reply),
  );

  app.post(`${statusPath}/:repositoryId/jobs/:jobId/retry`, guarded, (request, reply) =>
    runAction(
      request,
      reply,
      async (id) => {
        const { jobId } = request.params as { jobId: string };
        return (await status.retry(id, jobId)) ? 'retry' : 'gone';
      },
      'job.retry',
    ),
  );
}

function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer ([\x21-\x7e]{1,512})$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

function problem(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/** The same as the page, for programs. */
function present({ repository, bindings, specifications, translations }: VisibleRepository) {
  const { bindings: _all, specifications: _specs, translations: _languages, ...rest } = repository;
  return {
    ...rest,
    jobs: rest.jobs.map((job) => ({ ...job, subject: presentSubject(job.subject) })),
    spaces: bindings.map(({ binding, space, operation, lost }) => ({
      ...binding,
      url: space?.urls.app ?? null,
      lost,
      operation: operation && {
        id: operation.id,
        direction: operation.direction,
        state: operation.state,
        stage: operation.stage ?? null,
        error: operation.error ?? null,
        counts: operation.counts ?? null,
        createdAt: operation.createdAt,
        endedAt: operation.endedAt ?? null,
      },
    })),
    specifications: specifications.map(({ spec, live, versionAt }) => ({
      ...spec,
      state: live?.processingState ?? null,
      version: live?.lastVersion ?? null,
      versionAt,
      problems: live?.lastProcessedErrors ?? [],
    })),
    translations: translations.map(({ translation, live, source }) => ({
      ...translation,
      space: source?.id ?? null,
      provider: live?.provider ?? null,
      status: live?.status ?? null,
      failure: live?.error ?? null,
      isCurrent: source?.revision !== undefined && live?.result?.sourceRevision === source.revision,
      result: live?.result ?? null,
      stats: live?.stats ?? null,
      ranAt: live === null || live.stats.runs === 0 ? null : live.updatedAt,
    })),
  };
}

/** In `/status.json` the subject of a job is one text, as it was from the first release on. */
function presentSubject(subject: StatusSubject): string {
  switch (subject.kind) {
    case 'branch':
      return `refs/heads/${subject.name}`;
    case 'tag':
      return `refs/tags/${subject.name}`;
    case 'pull-request':
      return `pull/${subject.id}`;
    case 'pull-requests':
      return 'pulls';
    case 'checks':
      return `checks/${subject.oid}`;
    case 'installation':
      return `installation/${subject.id}`;
    case 'issue':
    case 'discussion':
      return `${subject.kind}/${subject.id}`;
    case 'conversations':
      return subject.of === null ? 'conversations' : `conversations/${subject.of}`;
    case 'comments':
      return `comments/${subject.pull}`;
    case 'repository':
    case 'onboarding':
      return subject.kind;
    case 'export':
      return `export/${subject.title}`;
    case 'external-links':
      return 'links-outside';
    case 'specifications':
      return subject.name === null ? 'specifications' : `specifications/${subject.name}`;
    case 'translations':
      return subject.directory === null ? 'translations' : `translations/${subject.directory}`;
    case 'unknown':
      return subject.text;
  }
}
