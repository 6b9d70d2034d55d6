import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** A real git server over smart HTTP (`git http-backend`) on the loopback interface, for tests. */
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
    httpBackend(root, request, response);
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

/** Runs git-http-backend(1) as the CGI program that it is (RFC 3875). */
function httpBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '4',
      GIT_CONFIG_KEY_3: 'http.receivepack',
      GIT_CONFIG_VALUE_3: 'true',
      GIT_CONFIG_KEY_0: 'uploadpack.allowFilter',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_1: 'true',
      GIT_CONFIG_KEY_2: 'safe.directory',
      GIT_CONFIG_VALUE_2: '*',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
    },
  });
  child.on('error', () => response.destroy());
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  child.stdout.on('data', function onHead(chunk: Buffer) {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    const lines = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = lines.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(lines.filter(([name]) => name !== 'Status')),
    );
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  });
}
