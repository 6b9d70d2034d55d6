import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensureAccount } from './actions/accounts.ts';
import { recordPush } from './actions/record-push.ts';
import { ForgeApiError } from './api/api-error.ts';
import { actingAccount } from './api/caller.ts';
import { applyRequestFault } from './api/request-fault.ts';
import { type ApiParts, GRAPHQL_PATH, serveApi } from './api/serve-api.ts';
import type { ForgeContext } from './forge-context.ts';
import { gitDirOf } from './forge-context.ts';
import { authorizeGit } from './git/authorize-git.ts';
import { parseGitRequest, type ServedRequest, serveGit } from './git/serve-git.ts';
import { servePage } from './pages/serve-page.ts';

const GIT_ADDRESS = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

export interface ForgeServer {
  readonly address: AddressInfo;
  /** Resolves when no push is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Starts listening, and routes each request to git, the API or the pages. */
export async function serveForge(
  parts: ApiParts,
  listen: { readonly host: string; readonly port: number },
): Promise<ForgeServer> {
  const pushes = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    handleRequest(parts, pushes, request, response).catch((error: unknown) => sendError(error, response));
  });
  // A large push over a slow connection may take minutes.
  server.requestTimeout = 10 * 60 * 1000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, resolve);
  });
  return {
    address: server.address() as AddressInfo,
    settled: async () => {
      while (pushes.size > 0) await Promise.all(pushes);
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function handleRequest(
  parts: ApiParts,
  pushes: Set<Promise<void>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://forge');
  if (url.pathname === GRAPHQL_PATH || url.pathname === '/api/v3' || url.pathname.startsWith('/api/v3/'))
    return serveApi(parts, request, response);
  const [, owner = '', name = '', tail = ''] = GIT_ADDRESS.exec(url.pathname) ?? [];
  const git = parseGitRequest(request.method ?? 'GET', tail, url.searchParams);
  if (!git) return servePage(parts.context, url, request, response);
  const work = handleGit(parts.context, { owner, name, git }, request, response);
  if (git.service === 'git-upload-pack' || git.advertise) return work;
  const tracked: Promise<void> = work.catch(() => undefined).finally(() => pushes.delete(tracked));
  pushes.add(tracked);
  return work;
}

async function handleGit(
  context: ForgeContext,
  target: { readonly owner: string; readonly name: string; readonly git: ServedRequest },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://forge').pathname;
  const fault = context.faults.strikeRequest('git', request.method ?? 'GET', path);
  const refusal = await applyRequestFault(fault, context.now());
  if (refusal)
    throw new ForgeApiError(refusal.status, 'The sandbox has a fault switched on for this request.', {
      headers: refusal.headers ?? {},
    });
  const { service } = target.git;
  const { repository, caller } = await authorizeGit(
    context,
    target.owner,
    target.name,
    service,
    request.headers.authorization,
  );
  await serveGit(gitDirOf(context, repository.id), target.git, request, response);
  if (service === 'git-receive-pack' && !target.git.advertise) {
    await recordPush(context, repository, actingAccount(caller) ?? ensureAccount(context, 'ghost'));
  }
  response.end();
}

/** Sends plain text, which git clients show to their user. */
function sendError(error: unknown, response: ServerResponse): void {
  const known =
    error instanceof ForgeApiError ? error : new ForgeApiError(500, 'The sandbox failed; see its log.');
  if (!(error instanceof ForgeApiError)) process.emitWarning(error instanceof Error ? error : String(error));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(known.status, {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...known.headers,
  });
  response.end(`${known.message}\n`);
}
