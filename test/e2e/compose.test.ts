/**
 * deploy/compose as it runs, without an engine of containers: its processes with the environment, the commands and the
 * balancer's configuration of the files, on a PostgreSQL and an S3-compatible store, and the demo's story through it.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../../src/cli/demo/open-stage.ts';
import { playStory } from '../../src/cli/demo/play-story.ts';
import { type RunningDocloom, startDocloom } from '../../src/cli/demo/start-docloom.ts';
import { startPasswordServer } from '../store/password-server.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { pickPort, pickStagePorts } from '../support/pick-port.ts';

const FOLDER = 'deploy/compose';
const NGINX = '/usr/sbin/nginx';
const PASSWORD = 'password';
const WEB_HOSTS = ['127.0.1.1', '127.0.1.2'] as const;
const PLAY_MS = 200_000;

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | number>>;
}

describeAtLength('the processes of deploy/compose', false, () => {
  let folder: string;
  let stage: Stage;
  const webs: RunningDocloom[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  const signal = AbortSignal.timeout(10 * 60_000);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docloom-compose-'));
    const database = await startPasswordServer(PASSWORD);
    closing.push(() => database.close());
    const objects = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 'objects'),
      configureBuckets: [{ name: 'docloom' }],
    });
    const { port: objectsPort } = await objects.run();
    closing.push(() => objects.close());
    const webPort = await pickPort();
    const balancerPort = await pickPort();
    const names = await startNameServer(WEB_HOSTS);
    closing.push(names.close);
    closing.push(await startNginx(folder, { names: names.port, webPort, balancerPort }));

    const services = readServices({
      POSTGRES_PASSWORD: PASSWORD,
      PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
      SECRET_KEY: 'the output of openssl rand -base64 32',
      BLOBS_SECRET_ACCESS_KEY: 'S3RVER',
    });
    const environmentOf = ({ command, environment }: Service, nth: number): Record<string, string> => {
      expect(command.slice(0, 2)).toEqual(['serve', '--role']);
      const env = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, String(value)]),
      );
      return {
        ...env,
        ROLE: command[2] ?? '',
        DATA_DIR: join(folder, `${command[2]}-${nth}`),
        // Here names are not those of the network of containers, and the store of the tests has a key of its own.
        DATABASE_URL: (env['DATABASE_URL'] ?? '').replace(
          'docloom:password@postgres:5432/docloom',
          `docs:password@127.0.0.1:${database.port}/docs`,
        ),
        BLOBS_ENDPOINT: (env['BLOBS_ENDPOINT'] ?? '').replace('objects:7070', `127.0.0.1:${objectsPort}`),
        BLOBS_ACCESS_KEY_ID: 'S3RVER',
      };
    };
    for (const role of ['web', 'worker'])
      for (const nth of [0, 1]) await mkdir(join(folder, `${role}-${nth}`));
    // The stage's own process is one of the workers, at a port of its own.
    const { PORT: _port, ...ofWorker } = environmentOf(services.worker, 0);
    stage = await openStage({
      signal,
      ports: await pickStagePorts(),
      publicUrl: `http://127.0.0.1:${balancerPort}`,
      env: { NODE_OPTIONS: process.env['NODE_OPTIONS'], ...ofWorker },
    });
    closing.push(() => stage.close());
    const start = (service: Service, nth: number, host: string, port: number) =>
      startDocloom({
        env: { ...stage.env, ...environmentOf(service, nth), HOST: host, PORT: String(port) },
        url: `http://${host}:${port}`,
        logFile: join(folder, `${service.command[2]}-${nth}.log`),
        signal,
      });
    const second = await start(services.worker, 1, '127.0.0.1', await pickPort());
    closing.push(() => second.stop());
    for (const [nth, host] of WEB_HOSTS.entries()) {
      const web = await start(services.web, nth, host, webPort);
      webs.push(web);
      closing.push(() => web.stop());
    }
  }, PLAY_MS);
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }, PLAY_MS);

  it('do the whole job behind the balancer, and go on while one of them is away', async () => {
    const told: string[] = [];
    const narrator = createNarrator({ write: (text: string) => told.push(text) });
    const { outcome } = await playStory(stage, narrator, AbortSignal.timeout(PLAY_MS));
    expect(outcome, told.join('')).toMatchObject({
      ok: true,
      push: { pages: 12, links: { broken: 1 } },
      pullRequest: { conclusion: 'failure', annotations: 12 },
      mended: { conclusion: 'success' },
    });
    expect(outcome.site.url.startsWith(stage.url)).toBe(true);
    const stored = await readdir(join(folder, 'objects/docloom'), { recursive: true });
    expect(stored.some((name) => name.includes('bytes'))).toBe(true);
    const statuses = async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(outcome.site.url)));
      return new Set(answers.map(({ status }) => status));
    };
    expect(await statuses()).toEqual(new Set([200]));
    await webs[0]?.stop();
    await vi.waitFor(async () => expect(await statuses()).toEqual(new Set([200])), {
      timeout: PATIENCE_MS,
      interval: 200,
    });
    expect((await fetch(`${stage.url}/metrics`)).status).toBe(404);
  });
});

/** The services that run Docloom, with the variables of `.env` filled in as Compose does. */
function readServices(variables: Readonly<Record<string, string>>): {
  readonly web: Service;
  readonly worker: Service;
} {
  const text = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8').replace(
    /\$\{(\w+)(?::?([?-])([^}]*))?\}/g,
    (_whole, name: string, kind: string | undefined, rest: string | undefined) => {
      const value = variables[name] ?? (kind === '-' ? rest : undefined);
      if (value === undefined) throw new Error(`${name} is not set: ${rest}`);
      return value;
    },
  );
  const { services } = parse(text, { merge: true }) as { services: { web: Service; worker: Service } };
  return services;
}

/** Answers each question for an address of `web` with these, by turns, as the name service of a network of containers. */
async function startNameServer(addresses: readonly string[]) {
  const server = createSocket('udp4');
  let turn = 0;
  server.on('message', (question, { port, address }) => {
    turn += 1;
    // RFC 1035: the id, the flags of an answer, the question once more, and a record for each address. AAAA has none.
    const end = question.indexOf(0, 12) + 5;
    const isForIpv4 = question.readUInt16BE(end - 4) === 1;
    const shown = isForIpv4
      ? addresses.map((_one, at) => addresses[(at + turn) % addresses.length] ?? '')
      : [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(shown.length, 6);
    head.writeUInt32BE(0, 8);
    const records = shown.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)]),
    );
    server.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: async () => void server.close() };
}

/** The balancer with its file, in which only addresses and the folder of its own files differ. @returns how it is ended */
async function startNginx(
  folder: string,
  ports: { readonly names: number; readonly webPort: number; readonly balancerPort: number },
): Promise<() => Promise<void>> {
  if (!existsSync(NGINX)) throw new Error(`${NGINX} is needed: apt-get install nginx-light.`);
  const own = join(folder, 'nginx');
  await mkdir(own);
  const text = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8');
  const changed = [
    ['resolver 127.0.0.11', `resolver 127.0.0.1:${ports.names}`],
    ['web:3000', `web:${ports.webPort}`],
    ['listen 8080', `listen 127.0.0.1:${ports.balancerPort}`],
    ['/tmp/', `${own}/`],
    ['worker_processes auto;', 'worker_processes 1;\nuser root;'],
  ].reduce((all, [from = '', to = '']) => {
    expect(all).toContain(from);
    return all.replaceAll(from, to);
  }, text);
  const file = join(own, 'nginx.conf');
  await writeFile(file, process.getuid?.() === 0 ? changed : changed.replace('\nuser root;', ''));
  const child = spawn(NGINX, ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return async () => {
    const exit = once(child, 'exit');
    child.kill('SIGQUIT');
    await exit;
  };
}
