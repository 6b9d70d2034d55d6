/**
 * Measures how long webhook deliveries wait for their answers while 200 per second arrive for 30 seconds, and whether all are
 * stored. Each delivery is sent at its scheduled time, whether or not earlier ones were answered, and its wait is measured
 * from then. The floors are a bare server that reads the body and answers 202, and one that also waits for the disk.
 */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Pool } from 'undici';
import { freePort } from '../src/cli/demo/free-port.ts';
import { startDocloom } from '../src/cli/demo/start-docloom.ts';
import type { Environment } from '../src/server/config/settings.ts';
import { openStore } from '../src/store/index.ts';

const PER_SECOND = 200;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 30);
const SECRET = 'bench-secret';

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-bench-'));
  // Started by root, the database runs as another user, who needs access to its folder.
  await chmod(folder, 0o711);
  const floor = await measureFloor();
  const durable = await measureFloor(join(folder, 'durable'));
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  await writeFile(join(folder, 'app.pem'), keys.privateKey, { mode: 0o600 });
  const port = await freePort(0);
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(folder, 'data');
  const env: Environment = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    APP_ID: '1',
    PRIVATE_KEY_PATH: join(folder, 'app.pem'),
    WEBHOOK_SECRET: SECRET,
    GHE_HOST: '127.0.0.1:9',
    GHE_PROTOCOL: 'http',
    LOG_LEVEL: 'error',
  };
  const docloom = await startDocloom({
    env,
    url,
    logFile: join(folder, 'log'),
    signal: AbortSignal.timeout(120_000),
  });
  try {
    const measured = await sendAll(url);
    const store = await openStore({ dataDir });
    const { rows } = await store.db.execute<{ stored: number; jobs: number }>(
      sql`select (select count(*)::int from deliveries) as stored, (select count(*)::int from deliveries where state <> 'ignored') as jobs`,
    );
    await store.close();
    const stored = rows[0]?.stored ?? 0;
    console.log(
      `deliveries: ${measured.sent} sent in ${SECONDS} s, ${measured.accepted} answered 202, ${stored} stored, ${measured.accepted - stored} lost`,
    );
    print('docloom', measured.waits);
    print('floor (answers, stores nothing)', floor.waits);
    print('durable floor (one fdatasync each)', durable.waits);
    for (const [name, peer] of Object.entries({ floor, 'durable floor': durable })) {
      const ratio = quantile(measured.waits, 0.99) / quantile(peer.waits, 0.99);
      console.log(`p99 ratio docloom / ${name}: ${ratio.toFixed(1)}`);
    }
  } finally {
    await docloom.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Measured {
  readonly sent: number;
  readonly accepted: number;
  /** Milliseconds from the time at which a delivery was due until its answer. */
  readonly waits: readonly number[];
}

/** With a file, each answer waits until a line is on the disk, which measures the cost of durability on this machine. */
async function measureFloor(file?: string): Promise<Measured> {
  const handle = file === undefined ? undefined : await open(file, 'a');
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      await handle?.appendFile('one delivery\n');
      await handle?.datasync();
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const measured = await sendAll(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  await handle?.close();
  return measured;
}

async function sendAll(url: string): Promise<Measured> {
  const pool = new Pool(url, { connections: 64 });
  const total = PER_SECOND * SECONDS;
  const waits: number[] = [];
  let accepted = 0;
  const sending: Promise<void>[] = [];
  const started = performance.now() + 50;
  for (let index = 0; index < total; index++) {
    const due = started + (index * 1000) / PER_SECOND;
    while (performance.now() < due)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    sending.push(send(index, due));
  }
  await Promise.all(sending);
  await pool.close();
  return { sent: total, accepted, waits };

  async function send(index: number, due: number): Promise<void> {
    const body = payload(index);
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: '/api/github/webhooks',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      },
    });
    await answer.dump();
    waits.push(performance.now() - due);
    if (statusCode === 202) accepted += 1;
  }
}

/** A push to a branch that is bound to no space, in one of 50 repositories: it is stored with a job, which does nothing. About 8 KB, as GitHub's are. */
function payload(index: number): string {
  const repository = {
    id: 1 + (index % 50),
    name: 'docs',
    full_name: `bench/docs-${index % 50}`,
    default_branch: 'main',
    private: false,
    clone_url: 'http://127.0.0.1:9/bench/docs.git',
    html_url: 'http://127.0.0.1:9/bench/docs',
    url: 'http://127.0.0.1:9/bench/docs',
    pushed_at: 1_700_000_000 + index,
    owner: { login: 'bench', id: 7 },
  };
  const oid = index.toString(16).padStart(40, '0');
  return JSON.stringify({
    ref: `refs/heads/topic-${index}`,
    before: '0'.repeat(40),
    after: oid,
    created: true,
    deleted: false,
    forced: false,
    repository,
    installation: { id: 77 },
    pusher: { name: 'bench' },
    sender: { login: 'bench', id: 7 },
    commits: [],
    head_commit: null,
    filler: 'x'.repeat(7000),
  });
}

function print(name: string, waits: readonly number[]): void {
  const row = [0.5, 0.9, 0.99, 1].map(
    (share) => `${share === 1 ? 'max' : `p${share * 100}`} ${quantile(waits, share).toFixed(1)} ms`,
  );
  console.log(`${name}: ${row.join(', ')}`);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
