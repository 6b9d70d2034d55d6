/**
 * Measures published sites with the real server and its embedded PostgreSQL: pages per second from memory, and how long
 * they take at a rate that all can serve, against Fastify and nginx with the same bytes; pages that are not cached yet, the
 * first page after a push, and searches.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/cli/demo/free-port.ts';
import { createGitRepo } from '../test/support/git-repo.ts';
import { medianOf, startPlatformServer, timed } from './platform-server.ts';

const PAGES = Number(process.env['BENCH_PAGES'] ?? 10_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const ROUNDS = 3;
const SEARCHES = 60;
const PUSHES = 9;
/** After which every process shows a new version. */
const NEW_VERSION_MS = 600;

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** When the request with the longest time was due, in seconds since times are taken. */
  readonly longestAt: number;
  readonly bytes: number;
}

export async function run(): Promise<void> {
  const server = await startPlatformServer();
  const memory = async () => `${Math.round((await server.memory()) ?? 0)} MB`;
  const atStart = await memory();
  const floors: ReturnType<typeof spawn>[] = [];
  try {
    const repo = await createGitRepo(join(server.repositories, 'docs.git'));
    const files = Array.from({ length: PAGES }, (_page, nth) => [pathOf(nth), textOf(nth)] as const);
    await repo.commit({ 'docs/README.md': '# Welcome\n', ...Object.fromEntries(files) });
    const space = await server.createSpace('Docs');
    const address = `${server.gitUrl}/docs.git`;
    await server.importBranch(space, address, 'docs');
    const afterImport = await memory();
    const site = await server.publishSite(space);
    const pageAt = (nth: number) => `${site}/${pathOf(nth).replace(/^docs\/|\.md$/g, '')}`;

    const page = pageAt(7);
    const finished = await fetch(page, { headers: { 'accept-encoding': 'br' } });
    const { body } = await readCompressed(page);
    const file = join(server.folder, 'page.br');
    await writeFile(file, body);
    const floor = spawn(process.execPath, [join(import.meta.dirname, 'sites-floor.ts'), file]);
    floors.push(floor);
    const [port] = await once(createInterface({ input: floor.stdout }), 'line');
    const nginx = await startNginx(server.folder, file);
    if (nginx !== null) floors.push(nginx.process);
    console.log(`A page has ${body.length} bytes compressed (${(await finished.text()).length} characters).`);
    console.log('As much as each server can do, from 50 connections:');
    console.log(
      'round | pages/s | p50 ms | p99 ms | Fastify pages/s | p99 ms | ratio | nginx pages/s | p99 ms | ratio',
    );
    const ofFastify: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const own = await sendLoad(page);
      const bare = await sendLoad(`http://127.0.0.1:${port}/`);
      ofFastify.push(bare.perSecond);
      const cells = [own.perSecond, own.p50, own.p99, bare.perSecond, bare.p99].map((cell) =>
        cell.toFixed(1),
      );
      cells.push((own.perSecond / bare.perSecond).toFixed(2));
      if (nginx !== null) {
        const { perSecond, p99 } = await sendLoad(nginx.url);
        cells.push(perSecond.toFixed(1), p99.toFixed(1), (own.perSecond / perSecond).toFixed(2));
      }
      console.log([round, ...cells].join(' | '));
    }

    const rate = Math.round(medianOf(ofFastify) / 2);
    console.log(`At ${rate} requests a second, half of what Fastify can do, from when each was due:`);
    console.log(
      'round | p50 ms | p99 ms | longest ms (due at s) | Fastify p50 ms | p99 ms | longest ms | ratio of p99 | nginx p50 ms | p99 ms | longest ms | ratio of p99',
    );
    for (let round = 1; round <= ROUNDS; round += 1) {
      const own = await sendLoad(page, rate);
      const slowest = `${own.longest.toFixed(1)} (${own.longestAt.toFixed(1)})`;
      const cells = [own.p50.toFixed(1), own.p99.toFixed(1), slowest];
      for (const url of [`http://127.0.0.1:${port}/`, ...(nginx === null ? [] : [nginx.url])]) {
        const { p50, p99, longest } = await sendLoad(url, rate);
        cells.push(p50.toFixed(1), p99.toFixed(1), longest.toFixed(1), (own.p99 / p99).toFixed(2));
      }
      console.log([round, ...cells].join(' | '));
    }

    const fresh: number[] = [];
    for (let nth = 100; nth < 150; nth += 1) fresh.push(await timed(() => read(pageAt(nth))));
    console.log(`A page that is not cached yet: median ${medianOf(fresh).toFixed(1)} ms.`);

    const [shown, afterPush]: [number[], number[]] = [[], []];
    for (let push = 1; push <= PUSHES; push += 1) {
      await repo.commit({ [pathOf(3)]: `${textOf(3)}\nPush ${push}.\n` });
      await server.importBranch(space, address, 'docs');
      shown.push(await timed(() => read(pageAt(200 + push))));
      // Until now, the page may have been of the version before; from now on, it is of the new one.
      await sleep(NEW_VERSION_MS);
      afterPush.push(await timed(() => read(pageAt(300 + push))));
    }
    console.log(
      `A page at once after a push, of ${PAGES}: median ${medianOf(shown).toFixed(1)} ms; the first of the new version: median ${medianOf(afterPush).toFixed(1)} ms, longest ${Math.max(...afterPush).toFixed(1)} ms.`,
    );

    const measureSearches = async (what: string, queryOf: (nth: number) => string) => {
      const searches: number[] = [];
      const before = await server.cpuOf();
      for (let nth = 0; nth < SEARCHES; nth += 1) {
        const address = `${site}/~/search?q=${encodeURIComponent(queryOf(nth))}`;
        searches.push(await timed(() => read(address)));
      }
      searches.sort((a, b) => a - b);
      const p95 = searches[Math.floor(SEARCHES * 0.95)] ?? 0;
      const after = await server.cpuOf();
      const ofEach = (of: keyof typeof before) =>
        `${(((after[of] - before[of]) / SEARCHES) * 1000).toFixed(1)} ms`;
      console.log(
        `${what} over ${PAGES * 5} sections: median ${medianOf(searches).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; processor time of each ${ofEach('database')} of PostgreSQL, ${ofEach('server')} of the server.`,
      );
    };
    await measureSearches(
      'Searches',
      (nth) => ['install', 'page 12', 'config', `word${nth}`, 'the'][nth % 5] ?? '',
    );
    await measureSearches(
      'Misspelt searches',
      (nth) => ['isntall', 'instal confgi', 'configurre', 'nothingness', 'next paeg'][nth % 5] ?? '',
    );
    console.log(
      `The server uses ${await memory()} of memory: ${atStart} when it had started, ${afterImport} after the import.`,
    );
  } finally {
    for (const floor of floors) floor.kill();
    await server.close();
  }
}

async function read(address: string): Promise<void> {
  const response = await fetch(address);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
}

/** The bytes as they are sent: `fetch` decompresses them. */
async function readCompressed(address: string): Promise<{ readonly body: Buffer }> {
  const { request } = await import('undici');
  const { body } = await request(address, { headers: { 'accept-encoding': 'br' } });
  return { body: Buffer.from(await body.arrayBuffer()) };
}

/** nginx with the same bytes in a file; null where it is not installed. */
async function startNginx(folder: string, file: string) {
  const port = await freePort(0);
  const configuration = join(folder, 'nginx.conf');
  await writeFile(
    configuration,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log /dev/null;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; location = /page {
    default_type "text/html; charset=utf-8"; add_header content-encoding br; alias ${file}; } } }`,
  );
  // Where Debian has it, which is not on everybody's path.
  const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
  const process = spawn(program, ['-c', configuration], { stdio: 'ignore' });
  const isThere = await new Promise<boolean>((resolve) => {
    process.once('error', () => resolve(false));
    process.once('spawn', () => resolve(true));
  });
  if (!isThere) {
    console.log('nginx is not installed, so there is no comparison with it.');
    return null;
  }
  const url = `http://127.0.0.1:${port}/page`;
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return { process, url };
    await sleep(20);
  }
  throw new Error('nginx does not answer.');
}

/** @param rate requests a second; absent for as many as are answered */
async function sendLoad(address: string, rate?: number): Promise<Load> {
  const load = spawn(process.execPath, [
    join(import.meta.dirname, 'sites-load.ts'),
    address,
    String(SECONDS),
    ...(rate === undefined ? [] : [String(rate)]),
  ]);
  const [line] = await once(createInterface({ input: load.stdout }), 'line');
  return JSON.parse(String(line)) as Load;
}

const pathOf = (nth: number) => `docs/part-${Math.floor(nth / 100)}/page-${nth}.md`;

function textOf(nth: number): string {
  const sections = Array.from(
    { length: 4 },
    (_section, at) =>
      `## Part ${at} of ${nth}\n\nHow to install and config word${nth} with the [next page](page-${nth - (nth % 100) + ((nth + 1) % 100)}.md). ${proseOf(nth * 4 + at)}\n\n\`\`\`js\nconst value = configure({ name: 'word${at}', size: ${nth} });\n\`\`\`\n`,
  );
  return `# Page ${nth}\n\nSome words of page ${nth}.\n\n${sections.join('\n')}`;
}

/** As in prose, few words are frequent and many are rare; always the same ones. */
function proseOf(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: 40 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return `term${Math.floor(3_000 ** (state / 2_147_483_647))}`;
  }).join(' ');
}
