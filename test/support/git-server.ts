import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseGitRequest, serveGit } from '../../src/sandbox/git/serve-git.ts';

/** What the server does with a request: serve git, keep silent, break off, write what it likes, or give this answer. */
export type ServerAnswer =
  | 'git'
  | 'stall'
  | 'hang-up'
  | ((response: ServerResponse) => void)
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A real git server over smart HTTP on the loopback interface, for tests. */
export interface GitServer {
  /** `http://127.0.0.1:port`, without a slash at its end; repositories lie below by the path of their folder. */
  readonly url: string;
  readonly host: string;
  readonly requests: readonly SeenRequest[];
  /** When set, every request must carry these as Basic auth. */
  credentials: { readonly username: string; readonly password: string } | null;
  /** Default: serve git always. */
  answer: (request: SeenRequest) => ServerAnswer;
  close(): Promise<void>;
}

/** Serves all repositories below a folder, as a large host would: filters, shallow fetches, any commit by its oid, and pushes. */
export async function startGitServer(root: string): Promise<GitServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization,
    };
    requests.push(seen);
    const answer = running.answer(seen);
    if (answer === 'stall') return;
    if (answer === 'hang-up') return void request.destroy();
    if (typeof answer === 'function') return answer(response);
    if (answer !== 'git') return void response.writeHead(answer.status, answer.headers).end(answer.body);
    if (running.credentials && seen.authorization !== basic(running.credentials)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end('who are you?');
    }
    answerGit(root, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: GitServer = {
    url: `http://${host}`,
    host,
    requests,
    credentials: null,
    answer: () => 'git',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return running;
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Serves git as the sandbox does: with git's own programs, without the process of git-http-backend(1) in between. */
async function answerGit(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const [, path = '', tail = ''] =
    /^\/(.+?)\/(info\/refs|git-[a-z-]+)$/.exec(decodeURIComponent(pathname)) ?? [];
  const asked = parseGitRequest(request.method ?? '', tail, searchParams);
  const gitDir = join(root, path);
  if (asked === null || !existsSync(join(gitDir, 'HEAD'))) {
    response.writeHead(404).end();
    return;
  }
  await serveGit(gitDir, asked, request, response);
  response.end();
}
