/**
 * Measures `docloom check` as a whole process on real documentation, compared with the fastest known checker (rumdl, with
 * the two rules that check links) and that of the remark family. A cold run reads all files (`--no-cache`), an edited run has
 * all but one page cached, and for a warm run nothing changed; the peers cache nothing. All tools take turns in one run, so
 * that other load on the machine affects all of them. The corpora are git bundles in BENCH_CORPORA (`../shared/corpora` by
 * default).
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CORPORA = path.resolve(process.env['BENCH_CORPORA'] ?? '../shared/corpora');
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const DOCLOOM = path.resolve('dist/cli/main.js');

/** The runs of Docloom. */
const OWN = ['docloom cold', 'docloom edited', 'docloom warm'] as const;

/** The tools that Docloom is compared with. */
const COMPARED = ['rumdl', 'remark-validate-links'] as const;

/** Installed only for the run: the product does not need them, and the first is a build for one system. */
const PEERS = ['@rumdl/cli-linux-x64@0.2.77', 'remark-cli@12.0.1', 'remark-validate-links@13.1.0'];

interface Tool {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The number of measured runs; the slow peer runs once. */
  readonly rounds: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a page is written before each run. */
  readonly edits?: boolean;
}

interface Measured {
  readonly seconds: number;
  /** The largest peak of all runs, in MB; null where the system does not report it. */
  readonly megabytes: number | null;
}

export async function run(): Promise<void> {
  if (!existsSync(CORPORA)) return console.log(`skipped: there are no corpora at ${CORPORA}`);
  if (!existsSync(DOCLOOM)) return console.log('skipped: run `npm run build` first');
  const folder = await mkdtemp(path.join(tmpdir(), 'docloom-bench-'));
  try {
    const tools = await prepareTools(folder);
    console.log(
      'Medians of whole processes. The ratios say how many times as fast docloom is as a peer, which reads all',
    );
    console.log(
      'files in each run (rumdl by --no-cache); docloom edited has all but one page cached, docloom warm all of them.\n',
    );
    const ratios = ratiosOf(tools).map(({ own, peer }) => `${own} : ${peer}`);
    const peaks = OWN.map((name) => `${name}, peak`);
    printRow(['corpus', ...tools.map((tool) => tool.name), ...ratios, ...peaks]);
    printRow(['---', ...[...tools, ...ratios, ...peaks].map(() => '---:')]);
    for (const bundle of readdirSync(CORPORA).filter((text) => text.endsWith('.bundle'))) {
      const name = bundle.slice(0, -'.bundle'.length);
      const repository = path.join(folder, name);
      await call(folder, ['git', 'clone', '-q', '-b', 'main', path.join(CORPORA, bundle), repository]);
      report(name, tools, await measureAll(repository, tools));
      await rm(repository, { recursive: true, force: true });
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function prepareTools(folder: string): Promise<readonly Tool[]> {
  // All runs have the cache of compiled code, as in normal use.
  const own = { rounds: ROUNDS, env: { DOCLOOM_CACHE_DIR: path.join(folder, 'cache') } };
  const check = [process.execPath, DOCLOOM, 'check'] as const;
  const docloom: readonly Tool[] = [
    { name: OWN[0], command: [...check, '--no-cache'], ...own },
    { name: OWN[1], command: check, ...own, edits: true },
    { name: OWN[2], command: check, ...own },
  ];
  // The minimum for any Node program.
  const node: Tool = { name: 'node alone', command: [process.execPath, '-e', '0'], rounds: ROUNDS };
  const peers = path.join(folder, 'peers');
  await mkdir(peers);
  await writeFile(path.join(peers, 'package.json'), '{"private":true}');
  const installed = await call(peers, ['npm', 'install', '--silent', '--no-audit', '--no-fund', ...PEERS]);
  const rumdl = path.join(peers, 'node_modules/@rumdl/cli-linux-x64/rumdl');
  if (installed !== 0 || !existsSync(rumdl)) {
    console.log('The peers cannot be installed here, so docloom runs alone.');
    return [...docloom, node];
  }
  const remark = path.join(peers, 'node_modules/remark-cli/cli.js');
  const validate = path.join(peers, 'node_modules/remark-validate-links/index.js');
  return [
    ...docloom,
    node,
    {
      name: 'rumdl',
      command: [rumdl, 'check', '--no-cache', '--enable', 'MD051,MD057', '.'],
      rounds: ROUNDS,
    },
    {
      name: 'remark-validate-links',
      command: [
        process.execPath,
        remark,
        '.',
        // The same pages as the other tools, without the repository's settings.
        '--ext',
        'md,markdown,mdx',
        '--no-config',
        '--no-stdout',
        '--quiet',
        '--use',
        `${validate}=repository:false`,
      ],
      rounds: 1,
    },
  ];
}

/** In each round every tool runs once; the first round warms the file cache and is not measured. */
async function measureAll(
  repository: string,
  tools: readonly Tool[],
): Promise<ReadonlyMap<string, Measured>> {
  const runs = new Map<string, Measured[]>(tools.map((tool) => [tool.name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, command, rounds, env, edits } of tools) {
      if (round > rounds || (round === 0 && rounds === 1)) continue;
      if (edits)
        await writeFile(path.join(repository, 'bench-edit.md'), `# Edit ${round}\n\n[top](#edit-${round})\n`);
      const measured = await measure(repository, command, env);
      if (round > 0) runs.get(name)?.push(measured);
    }
  }
  return new Map([...runs].map(([name, all]) => [name, summarise(all)]));
}

function summarise(runs: readonly Measured[]): Measured {
  const sorted = runs.map((measured) => measured.seconds).sort((a, b) => a - b);
  const peaks = runs.flatMap((measured) => measured.megabytes ?? []);
  return {
    seconds: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    megabytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

/** The wall time of a process, and its memory where GNU time is installed. */
async function measure(cwd: string, command: readonly string[], env: Tool['env']): Promise<Measured> {
  const timer = existsSync('/usr/bin/time') ? ['/usr/bin/time', '-f', 'peak %M'] : [];
  const started = performance.now();
  let stderr = '';
  const collect = (text: string) => {
    stderr += text;
  };
  await call(cwd, [...timer, ...command], collect, env);
  const seconds = (performance.now() - started) / 1_000;
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  return { seconds, megabytes: peak === undefined ? null : Number(peak) / 1_024 };
}

async function call(
  cwd: string,
  command: readonly string[],
  onError = (_text: string) => {},
  env: Tool['env'] = {},
): Promise<number | null> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  child.stderr.setEncoding('utf8').on('data', onError);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** Pairs each run of Docloom with each installed peer. */
function ratiosOf(tools: readonly Tool[]): readonly { readonly own: string; readonly peer: string }[] {
  const peers = COMPARED.filter((peer) => tools.some(({ name }) => name === peer));
  return peers.flatMap((peer) => OWN.map((own) => ({ own, peer })));
}

function report(corpus: string, tools: readonly Tool[], measured: ReadonlyMap<string, Measured>): void {
  const secondsOf = (name: string) => measured.get(name)?.seconds ?? Number.NaN;
  const times = tools.map(({ name }) => `${secondsOf(name).toFixed(2)} s`);
  const ratios = ratiosOf(tools).map(({ own, peer }) => (secondsOf(peer) / secondsOf(own)).toFixed(1));
  const peaks = OWN.map((own) => {
    const megabytes = measured.get(own)?.megabytes ?? null;
    return megabytes === null ? 'unknown' : `${megabytes.toFixed(0)} MB`;
  });
  printRow([corpus, ...times, ...ratios, ...peaks]);
}

function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
