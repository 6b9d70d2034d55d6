/** Authors who push and open pull requests while everything that can go wrong does, and what must be true afterwards. */
import { join } from 'node:path';
import pg from 'pg';
import type { Stage } from '../../../src/cli/demo/open-stage.ts';
import { type RunningDocloom, startDocloom } from '../../../src/cli/demo/start-docloom.ts';
import { pickPort } from '../../support/pick-port.ts';
import { type Author, createAuthor } from './author.ts';
import { findSpace, listOperations, openPlatform, type Platform } from './platform.ts';

export interface StormSize {
  readonly repositories: number;
  readonly pushes: number;
  readonly kills: number;
  /** Processes of Docloom on one database. */
  readonly processes: 1 | 2 | 3;
}

export interface Storm {
  /** Sends all pushes, with the faults and kills; they end before it does. */
  rage(): Promise<void>;
  /** What is not yet as it must be in the end, as sentences. */
  complaints(): Promise<readonly string[]>;
  /** What a server that was restored from a backup does not show as it must in the end, as sentences. */
  complaintsAbout(restored: Platform): Promise<readonly string[]>;
  /** The commits that each repository's branch has had, newest first, by the repository's name. */
  history(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What must never have happened, as sentences. */
  offences(): readonly string[];
  close(): Promise<void>;
}

/** The same storm at every run: a linear congruential generator, as in POSIX's example of rand(). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Someone who also opens pull requests. */
interface Writer extends Author {
  /** Branch → number of its pull request. */
  readonly pulls: Map<string, number>;
  pushes: number;
}

/** Every so many pushes go to a pull request; each gets two. */
const PULL_EVERY = 5;
/** Writers who are at it at the same time. */
const AT_ONCE = 4;

/** @param victims what is killed in turn, and started again before the next; by default the processes of the storm */
export async function openStorm(
  stage: Stage,
  size: StormSize,
  victims?: readonly (() => Promise<void>)[],
): Promise<Storm> {
  const writers: Writer[] = [];
  for (let index = 0; index < size.repositories; index++) {
    const author = await createAuthor(stage, { owner: `storm${index}`, repo: `storm-${index}` });
    writers.push({ ...author, pulls: new Map(), pushes: 0 });
  }
  const database = new pg.Pool({ connectionString: stage.env['DATABASE_URL'], max: 1 });
  // Of a connection that nobody uses, when the database is killed; the next query opens another.
  database.on('error', () => {});
  const second = size.processes === 2 ? await startSecond(stage) : null;
  const killed = victims ?? [...(second === null ? [] : [second.restart]), () => restart(stage)];
  let platform: Platform | undefined;
  return {
    async rage() {
      raiseFaults(stage, size);
      let sent = 0;
      let kills = 0;
      let killing: Promise<void> = Promise.resolve();
      const lane = async (own: readonly Writer[]) => {
        for (let turn = 0; sent < size.pushes; turn++) {
          sent += 1;
          if (Math.floor((sent * (size.kills + 1)) / (size.pushes + 1)) > kills) {
            kills += 1;
            killing = killing.then(killed[kills % killed.length]);
          }
          await push(own[turn % own.length] as Writer);
        }
      };
      const lanes = Array.from({ length: Math.min(AT_ONCE, writers.length) }, (_, lane) =>
        writers.filter((_writer, at) => at % AT_ONCE === lane),
      );
      await Promise.all(lanes.map(lane));
      await killing;
      stage.forge.faults.clear();
    },
    async complaints() {
      platform ??= await openPlatform(stage);
      return [
        ...(await strayingSpaces(stage, platform, writers)),
        ...writers.flatMap((writer) => openEnds(stage, writer)),
        ...(await unexplained(stage, database)),
      ];
    },
    complaintsAbout: async (restored) => [
      ...(await strayingSpaces(stage, restored, writers)),
      ...writers.flatMap((writer) => openEnds(stage, writer)),
    ],
    async history() {
      const all = writers.map(async ({ repo, git }) => {
        await git('fetch', '--quiet', 'origin', 'main');
        return [repo, (await git('rev-list', 'origin/main')).split('\n')] as const;
      });
      return new Map(await Promise.all(all));
    },
    offences: () => writers.flatMap((writer) => conflicts(stage, writer)),
    async close() {
      await database.end();
      await second?.stop();
    },
  };
}

/** One more process on the same database and folder. */
async function startSecond(stage: Stage) {
  const port = await pickPort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...stage.env, PORT: String(port) };
  const logFile = join(stage.folder, 'second.log');
  const start = () => startDocloom({ env, url, logFile, signal: new AbortController().signal });
  let process: RunningDocloom = await start();
  return {
    async restart() {
      await process.kill();
      process = await start();
    },
    stop: () => process.stop(),
  };
}

async function restart(stage: Stage): Promise<void> {
  await stage.docloom().kill();
  await stage.restart();
}

function raiseFaults({ forge: { faults } }: Stage, size: StormSize): void {
  const roll = dice(7);
  // A delivery meets the first that strikes; a strike of the last one holds two.
  const delivery = (part: number) => () => roll() < part;
  faults.set({ on: 'webhook', kind: 'duplicate', match: delivery(0.1) });
  faults.set({ on: 'webhook', kind: 'drop', match: delivery(0.11) });
  faults.set({ on: 'webhook', kind: 'reorder', count: 2, match: delivery(0.12) });
  // The writers' own calls are not what is tried here.
  const call = (part: number) => (by: string) => by !== 'other' && roll() < part;
  const some = Math.ceil(size.pushes / 100);
  for (const status of [500, 502, 503] as const)
    faults.set({ on: 'api', kind: 'status', status, match: call(0.01) });
  faults.set({ on: 'api', kind: 'too-many-requests', retryAfterSeconds: 1, match: call(0.005) });
  faults.set({ on: 'api', kind: 'secondary-limit', retryAfterSeconds: 2, match: call(0.005) });
  faults.set({ on: 'api', kind: 'slow', slowMs: 300, match: call(0.01) });
  // Longer than the App waits.
  faults.set({
    on: 'api',
    kind: 'slow',
    slowMs: 20_000,
    times: size.pushes < 100 ? 0 : some,
    match: call(0.005),
  });
  faults.set({ on: 'git', kind: 'status', status: 503, times: some, path: /git-upload-pack$/ });
}

async function push(writer: Writer): Promise<void> {
  writer.pushes += 1;
  const text = `# Push ${writer.pushes}\n`;
  if (writer.pushes % PULL_EVERY !== 0) {
    // A file is different bytes each time, which every process has to find.
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" id="${writer.repo}-${writer.pushes}"/>\n`;
    await writer.commit({ 'README.md': `${text}\n![Picture](picture.svg)\n`, 'picture.svg': picture });
    await send(writer, 'main');
    return;
  }
  const number = Math.ceil(writer.pushes / PULL_EVERY / 2);
  const branch = `topic-${number}`;
  const isNew = !writer.pulls.has(branch);
  await writer.git('checkout', '--quiet', ...(isNew ? ['-b'] : []), branch);
  const link = writer.pushes % 2 === 0 ? '[Gone](gone.md)' : '[Home](README.md)';
  await writer.commit({ [`topic-${number}.md`]: `${text}\n${link}\n` });
  await send(writer, branch);
  if (isNew) {
    const { owner, repo } = writer;
    const { data } = await writer.octokit.rest.pulls.create({
      owner,
      repo,
      title: branch,
      head: branch,
      base: 'main',
    });
    writer.pulls.set(branch, data.number);
  }
  await writer.git('checkout', '--quiet', 'main');
}

/** As a person does, to whom a push that hangs on a busy machine is none. */
async function send(writer: Writer, branch: string): Promise<void> {
  for (let attempt = 1; attempt < 5; attempt++) {
    try {
      return await writer.push(branch);
    } catch {}
  }
  await writer.push(branch);
}

/** Spaces that do not show their branch. */
async function strayingSpaces(stage: Stage, platform: Platform, writers: readonly Writer[]) {
  const complaints: string[] = [];
  for (const { repo, fullName } of writers) {
    const head = stage.forge.refs(fullName)['refs/heads/main'] ?? '';
    const said = stage.forge.statuses(fullName, head).at(-1)?.state;
    if (said !== 'success') complaints.push(`${fullName}: the status of ${head} is ${said}`);
    else {
      const { id } = await findSpace(platform, repo);
      const live = (await listOperations(platform, id)).find(
        // Previews of pull requests are imports too, which nobody sees in the space.
        ({ state, skipped, standalone }) => state === 'success' && !skipped && !standalone,
      );
      if (live?.commit !== head) complaints.push(`${fullName}: ${live?.commit} is live, and not ${head}`);
    }
  }
  return complaints;
}

/** Statuses and checks that people still wait for. */
function openEnds({ forge }: Stage, { fullName }: Writer): readonly string[] {
  const newest = new Map(forge.statuses(fullName).map((one) => [`${one.sha} ${one.context}`, one.state]));
  const waiting = [...newest].filter(([, state]) => state === 'pending').map(([of]) => `status of ${of}`);
  const runs = forge.checkRuns(fullName);
  const inProgress = runs
    .filter(({ status }) => status !== 'completed')
    .map(({ headSha }) => `check of ${headSha}`);
  const judged = new Set(
    runs
      .filter((run) => run.conclusion === 'success' || run.conclusion === 'failure')
      .map((run) => run.headSha),
  );
  const unjudged = forge
    .pulls(fullName)
    .filter(({ state, headSha }) => state === 'open' && !judged.has(headSha));
  return [...waiting, ...inProgress, ...unjudged.map(({ headSha }) => `verdict on ${headSha}`)].map(
    (what) => `${fullName}: somebody waits for the ${what}`,
  );
}

/** Deliveries that the App's own table does not tell the end of. */
async function unexplained({ forge }: Stage, database: pg.Pool): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string; state: string; error: string | null }>(
    'select id, state, error from deliveries',
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return forge.deliveries.flatMap(({ guid, event, action }) => {
    const row = known.get(guid);
    const isExplained =
      row?.state === 'done' || row?.state === 'ignored' || (row?.state === 'failed' && row.error !== null);
    return isExplained
      ? []
      : [`${event} ${action ?? ''} ${guid} is ${row?.state ?? 'unknown'}: ${row?.error ?? ''}`];
  });
}

/** Ends that were told twice and differently. */
function conflicts({ forge }: Stage, { fullName }: Writer): readonly string[] {
  const told = Map.groupBy(forge.statuses(fullName), (one) => `${one.sha} ${one.context}`);
  const statuses = [...told].flatMap(([of, list]) => {
    // A call of a killed process may arrive late, so a `pending` between equal ends is no conflict.
    const states = list.map(({ state }) => state);
    const ends = states.filter((state) => state === 'success' || state === 'failure');
    return new Set(ends).size > 1 ? [`${fullName}: the status of ${of} went ${states.join(', ')}`] : [];
  });
  const runs = Map.groupBy(forge.checkRuns(fullName), ({ headSha, name }) => `${name} ${headSha}`);
  const checks = [...runs].flatMap(([of, list]) => {
    // GitHub shows the newest of a name. One that a killed process opened late says what the one before it says.
    const said = list.toSorted((one, other) => one.id - other.id).map(({ conclusion }) => conclusion);
    const verdicts = new Set(said.filter((end) => end === 'success' || end === 'failure'));
    const isClear = verdicts.size === 0 || (verdicts.size === 1 && said.at(-1) === [...verdicts][0]);
    return isClear ? [] : [`${fullName}: the check ${of} went ${said.join(', ')}`];
  });
  return [...statuses, ...checks];
}
