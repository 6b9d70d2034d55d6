/**
 * Measures first imports with a real server, its embedded PostgreSQL, and git over HTTP: the time for a corpus, compared
 * with a shallow clone and a cold `docloom check` of the same corpus, in turn, so that other load on the machine affects
 * both; and how much memory 200 MB of pictures add to the server's process. The corpus is the git bundle BENCH_CORPUS
 * (`withastro__docs` by default) in BENCH_CORPORA (`../shared/corpora` by default).
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createGitRepo } from '../test/support/git-repo.ts';
import { medianOf, type PlatformServer, runProgram, startPlatformServer, timed } from './platform-server.ts';

const CORPORA = resolve(process.env['BENCH_CORPORA'] ?? '../shared/corpora');
const CORPUS = process.env['BENCH_CORPUS'] ?? 'withastro__docs';
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const DOCLOOM = resolve('dist/cli/main.js');

/** Many ordinary pictures, and a few large ones: their number, and the megabytes of each. */
const PICTURES = [
  [400, 0.5],
  [20, 10],
] as const;

export async function run(): Promise<void> {
  await withServer(measureCorpus);
  // Each on its own server, because memory that one measurement allocated would be reused by the next.
  for (const [count, megabytes] of PICTURES) {
    await withServer((server) => measurePictures(server, count, megabytes));
  }
}

async function withServer(measure: (server: PlatformServer) => Promise<void>): Promise<void> {
  const server = await startPlatformServer();
  try {
    await measure(server);
  } finally {
    await server.close();
  }
}

async function measureCorpus(server: PlatformServer): Promise<void> {
  const bundle = join(CORPORA, `${CORPUS}.bundle`);
  if (!existsSync(bundle)) return console.log(`skipped: there is no corpus at ${bundle}`);
  if (!existsSync(DOCLOOM)) return console.log('skipped: run `npm run build` first');
  const { folder, repositories, gitUrl } = server;
  await runProgram(repositories, ['git', 'clone', '-q', '--bare', '-b', 'main', bundle, 'corpus.git']);
  const address = `${gitUrl}/corpus.git`;
  const clone = join(folder, 'clone');
  const times: { readonly floor: number; readonly first: number; readonly cpu: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await timed(async () => {
      await runProgram(folder, ['git', 'clone', '-q', '--depth', '1', address, clone]);
      await runProgram(clone, [process.execPath, DOCLOOM, 'check', '--no-cache']);
    });
    await rm(clone, { recursive: true, force: true });
    const space = await server.createSpace(`round ${round}`);
    const before = await server.cpu();
    const first = await timed(() => server.importBranch(space, address, ''));
    times.push({ floor, first, cpu: (await server.cpu()) - before });
  }
  console.log('round | clone and check ms | import ms | ratio | CPU s of server and database');
  for (const [round, { floor, first, cpu }] of times.entries()) {
    const cells = [
      round + 1,
      Math.round(floor),
      Math.round(first),
      (first / floor).toFixed(2),
      cpu.toFixed(1),
    ];
    console.log(cells.join(' | '));
  }
  // Later rounds find facts about pages in memory, so only the first is a first import.
  const [cold] = times;
  const floor = medianOf(times.map((time) => time.floor));
  if (cold)
    console.log(`The first import of ${CORPUS} takes ${(cold.first / floor).toFixed(2)} times as long.`);
}

async function measurePictures(server: PlatformServer, count: number, megabytes: number): Promise<void> {
  const name = `${count}-pictures`;
  const repo = await createGitRepo(join(server.repositories, `${name}.git`));
  // The beginning of a PNG, so that the files are handled as pictures.
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000400000003000802000000', 'hex');
  const files = Array.from({ length: count }, (_, at): [string, Uint8Array] => [
    `pictures/${at}.png`,
    Buffer.concat([head, randomBytes(megabytes * 1024 * 1024)]),
  ]);
  await repo.commit({ 'README.md': '# Home\n', ...Object.fromEntries(files) });
  const space = await server.createSpace(name);
  const before = await server.memory();
  await server.resetPeak();
  const wall = await timed(() => server.importBranch(space, `${server.gitUrl}/${name}.git`, ''));
  const peak = await server.peak();
  const added = before === null || peak === null ? '?' : Math.round(peak - before);
  console.log(`${count} pictures of ${megabytes} MB add ${added} MB and take ${Math.round(wall)} ms.`);
}
