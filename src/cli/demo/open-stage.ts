/** The environment of the demo: a forge in this process, `docloom serve` as a process of its own, and a folder for both. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Forge, type ForgeOptions, startForge } from '../../sandbox/index.ts';
import type { Environment } from '../../server/config/index.ts';
import { freePort } from './free-port.ts';
import { lastLines, type RunningDocloom, startDocloom } from './start-docloom.ts';

export interface Stage {
  readonly forge: Forge;
  /** The address of Docloom, or of the balancer before it. */
  readonly url: string;
  /** The environment variables with which Docloom runs, for further commands on the same store. */
  readonly env: Environment;
  readonly folder: string;
  readonly logFile: string;
  /** The running process; `restart` may replace it. */
  docloom(): RunningDocloom;
  /** Starts Docloom again after it was stopped or killed. */
  restart(): Promise<void>;
  /** Stops both, and removes the folder. */
  close(): Promise<void>;
}

export interface StageOptions {
  readonly signal: AbortSignal;
  /** Preferred ports; any free ones if they are in use or absent. */
  readonly ports?: { readonly docloom: number; readonly forge: number };
  /** Where people and GitHub reach it, if that is a balancer and not Docloom itself. */
  readonly publicUrl?: string;
  /** The entry point of the release that runs at first; `restart` starts this one. */
  readonly firstMain?: string | undefined;
  /** What is started instead of this release by this Node, with `serve` as its last argument. */
  readonly command?: readonly [string, ...string[]] | undefined;
  /** Further environment variables for Docloom, such as DATABASE_URL. */
  readonly env?: Environment;
  /** Called for every request to the forge's API. */
  readonly onRequest?: ForgeOptions['onRequest'];
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-demo-'));
  // Started by root, the database runs as another user, who needs access to its folder.
  await chmod(folder, 0o711);
  const app = { id: 1001, slug: 'docloom', webhookSecret: randomBytes(24).toString('hex') };
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const keyFile = join(folder, 'app.pem');
  await writeFile(keyFile, keys.privateKey, { mode: 0o600 });
  await mkdir(join(folder, 'data'));

  const port = await freePort(options.ports?.docloom ?? 0);
  const own = `http://127.0.0.1:${port}`;
  const url = options.publicUrl ?? own;
  const forge = await startForge({
    port: await freePort(options.ports?.forge ?? 0),
    dataDir: join(folder, 'sandbox'),
    app: { ...app, publicKeyPem: keys.publicKey, webhookUrl: `${url}/api/github/webhooks` },
    ...(options.onRequest && { onRequest: options.onRequest }),
  });
  const logFile = join(folder, 'docloom.log');
  const host = new URL(forge.url).host;
  const env: Environment = {
    ...basicEnvironment(),
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    PUBLIC_URL: url,
    APP_ID: String(app.id),
    PRIVATE_KEY_PATH: keyFile,
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: host,
    GHE_PROTOCOL: 'http',
    ...options.env,
  };
  const { signal, command } = options;
  const start = (main?: string) => startDocloom({ env, url: own, logFile, signal, main, command });
  let docloom: RunningDocloom;
  try {
    docloom = await start(options.firstMain);
  } catch (error) {
    await forge.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
  return {
    forge,
    url,
    env,
    folder,
    logFile,
    docloom: () => docloom,
    async restart() {
      docloom = await start();
    },
    async close() {
      await docloom.stop();
      await forge.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What a person needs to see why the demo stopped: how the webhooks were answered, and the end of Docloom's log. */
export async function describeTrouble({ forge, logFile }: Stage): Promise<string> {
  const webhooks = forge.deliveries.map(({ event, action, attempts }) => {
    const answers = attempts.map((attempt) => `${attempt.statusCode} ${attempt.status}`).join(', ');
    return `  ${action === null ? event : `${event}.${action}`}: ${answers || 'not sent yet'}`;
  });
  return `Webhooks and their answers:\n${webhooks.join('\n')}\nThe end of Docloom's log:\n${await lastLines(logFile)}`;
}

/** Environment variables of the user's own Docloom must not leak into the demo. */
function basicEnvironment(): Environment {
  const { PATH, HOME, TMPDIR, LANG, SystemRoot, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, TMPDIR, LANG, SystemRoot, NODE_COMPILE_CACHE };
}
