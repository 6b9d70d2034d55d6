/** A forge with an App and a place for its webhooks, a stock git client, and REST clients whose every answer is kept. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';
import { importPKCS8, SignJWT } from 'jose';
import { type Forge, type ForgeApp, type ForgeOptions, startForge } from '../../../src/sandbox/index.ts';

export const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const APP_ID = 77;
export const SECRET = 'it is raining cats and docs';

export interface Received {
  readonly event: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of many shapes.
  readonly payload: any;
}

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

export interface Sandbox {
  forge: Forge;
  readonly received: Received[];
  /** Every JSON answer that a client of `octokit` got. */
  readonly answered: Answered[];
  /** What the webhook's receiver answers; 202 until changed. */
  answerWith: number;
  readonly folder: string;
  octokit(token?: string): Octokit;
  /** An App's JWT; claims may be replaced. */
  jwt(claims?: Record<string, unknown>, key?: string): Promise<string>;
  installationToken(installationId: number, more?: object): Promise<string>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openSandbox(
  options: Partial<ForgeOptions> = {},
  app: Partial<ForgeApp> = {},
): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-test-'));
  const received: Received[] = [];
  const answered: Answered[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({
      event: String(request.headers['x-github-event']),
      headers: request.headers,
      body,
      payload: JSON.parse(body),
    });
    response.writeHead(sandbox.answerWith).end('thanks');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const start = (): Promise<Forge> =>
    startForge({
      dataDir: join(folder, 'forge'),
      app: {
        id: APP_ID,
        slug: 'docloom',
        publicKeyPem: keys.publicKey,
        webhookUrl,
        webhookSecret: SECRET,
        ...app,
      },
      ...options,
    });
  const keep: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.get('content-type')?.startsWith('application/json')) {
      const path = decodeURIComponent(new URL(String(input)).pathname.slice('/api/v3'.length));
      const body = await response.clone().json();
      answered.push({ method: init?.method ?? 'GET', path, status: response.status, body });
    }
    return response;
  };
  const sandbox: Sandbox = {
    forge: await start(),
    received,
    answered,
    answerWith: 202,
    folder,
    octokit: (auth) =>
      new Octokit({
        auth,
        baseUrl: sandbox.forge.apiUrl,
        request: { fetch: keep },
        log: { debug() {}, info() {}, warn() {}, error() {} },
      }),
    async jwt(claims = {}, key = keys.privateKey) {
      const now = Math.floor((options.now?.() ?? new Date()).getTime() / 1000);
      return new SignJWT({ iat: now - 30, exp: now + 500, iss: String(APP_ID), ...claims })
        .setProtectedHeader({ alg: 'RS256' })
        .sign(await importPKCS8(key, 'RS256'));
    },
    async installationToken(installation_id, more = {}) {
      const app = sandbox.octokit(await sandbox.jwt());
      return (await app.rest.apps.createInstallationAccessToken({ installation_id, ...more })).data.token;
    },
    async restart() {
      await sandbox.forge.stop();
      sandbox.forge = await start();
    },
    async close() {
      await sandbox.forge.stop();
      receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return sandbox;
}

/** A working copy that a stock git client keeps, blind to the settings of this machine's user. */
export class WorkTree {
  readonly folder: string;
  readonly remote: string;

  constructor(folder: string, cloneUrl: string, token?: string) {
    this.folder = folder;
    this.remote = token ? cloneUrl.replace('://', `://x-access-token:${token}@`) : cloneUrl;
  }

  async git(...args: string[]): Promise<string> {
    await mkdir(this.folder, { recursive: true });
    const env = {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      // No look, after each commit, for what could be tidied up: that is a process of its own.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'maintenance.auto',
      GIT_CONFIG_VALUE_0: 'false',
      GIT_AUTHOR_NAME: 'Writer',
      GIT_AUTHOR_EMAIL: 'writer@example.com',
      GIT_COMMITTER_NAME: 'Writer',
      GIT_COMMITTER_EMAIL: 'writer@example.com',
    };
    const { stdout } = await promisify(execFile)('git', args, {
      cwd: this.folder,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  }

  /** Writes files (null removes one) and commits them; answers the commit's oid. */
  async commit(files: Record<string, string | Buffer | null>, message = 'Change'): Promise<string> {
    await this.git('init', '--quiet', '--initial-branch=main');
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path);
      if (content === null) {
        await rm(file);
      } else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  push(...refs: string[]): Promise<string> {
    return this.git('push', '--quiet', this.remote, ...refs);
  }
}
