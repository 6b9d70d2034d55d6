import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startForge } from '../../src/sandbox/index.ts';
import { loadServerConfig } from '../../src/server/config/config.ts';
import type { Environment } from '../../src/server/config/settings.ts';
import { createLog } from '../../src/server/log.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { pickPort } from '../support/pick-port.ts';

export interface Served {
  readonly url: string;
  readonly env: Environment;
  readonly folder: string;
  readonly forge: Awaited<ReturnType<typeof startForge>>;
  /** What the server logged, a line each. */
  readonly log: Readonly<Record<string, unknown>>[];
  /** Another process on the same database, as far as it can be one in this process. */
  startAnother(): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Asks as a browser does, without following redirects; cookies are kept. */
  browse(): Browsing;
  close(): Promise<void>;
}

export interface Browsing {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(
    url: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** All of `docloom serve` in this process, without an App, beside a forge without one. */
export async function startServe(env: Environment = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-serve-'));
  const database = await createMigratedDatabase();
  const port = await pickPort();
  const forge = await startForge({ dataDir: join(folder, 'forge') });
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: url,
    ...env,
  };
  const log: Record<string, unknown>[] = [];
  const logger = createLog('info', { write: (line: string) => void log.push(JSON.parse(line)) });
  const running: RunningServer[] = [await startServer(loadServerConfig(settings), logger)];
  return {
    url,
    env: settings,
    folder,
    forge,
    log,
    async startAnother() {
      const other = await startServer(
        loadServerConfig({ ...settings, PORT: String(await pickPort()) }),
        logger,
      );
      running.push(other);
      return other;
    },
    browse: () => openBrowsing(url),
    async close() {
      for (const one of running) await one.close();
      await forge.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export function openBrowsing(base: string): Browsing {
  const cookies = new Map<string, string>();
  async function send(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address, base);
    const own = url.origin === base;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(own && cookie !== '' ? { cookie } : {}) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (own) {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    }
    return response;
  }
  return {
    get: (url, headers = {}) => send(url, { headers }),
    post: (url, fields, headers = {}) =>
      send(url, { method: 'POST', headers, body: new URLSearchParams(fields) }),
  };
}

/** The value of a form's field, or the address that a form leads to, as a browser reads it. */
export function readForm(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`The page has no ${pattern}:\n${text}`);
  return value
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
