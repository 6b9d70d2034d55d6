/**
 * Measures how the content engine scales: generated repositories of 1,000, 10,000 and 50,000 pages with ten links per page
 * are checked once, and again by the same engine after changes of three files. Each runs in its own process, so that memory
 * is measured separately.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compareAnalyses, createEngine, detectRenames, type FormatName } from '../src/content/index.ts';
import { GeneratedRepository, measuredFormats } from './generated-repository.ts';

const SIZES = [1_000, 10_000, 50_000];

/** Changes of each kind; the median counts. */
const ROUNDS = 7;

interface Measured {
  readonly first: number;
  readonly memory: number;
  /** In the order of `CHANGES`: milliseconds to check the new tree and to compare, and the number of checked links. */
  readonly changes: readonly { readonly check: number; readonly compare: number; readonly links: number }[];
}

/** Changes three pages, different ones in each round. */
type Change = (repository: GeneratedRepository, pages: readonly number[], round: number) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  'edit 3 texts': (repository, pages, round) => {
    for (const at of pages) repository.append(at, `More words, ${round}.`);
  },
  'change 3 headings': (repository, pages, round) => {
    for (const at of pages) repository.rename(at, `Page ${at} as of ${round}`);
  },
  'add 3 files': (repository, pages, round) => {
    for (const at of pages) repository.add(`${repository.folder}/new/${round}-${at}.md`, '# New\n');
  },
  'delete 3 files': (repository, pages) => {
    for (const at of pages) repository.remove(at);
  },
  'rename 3 files': (repository, pages, round) => {
    for (const at of pages) repository.move(at, `${repository.folder}/moved/${round}-${at}.md`);
  },
};

export async function run(): Promise<void> {
  const names = Object.keys(CHANGES);
  console.log(
    ['format', 'pages', 'first run', 'per page', 'memory', ...names, 'ratios to the smallest'].join(' | '),
  );
  for (const format of measuredFormats) {
    let smallest: Measured | null = null;
    for (const pages of SIZES) {
      const found: Measured = JSON.parse(await runAlone(format, pages));
      smallest ??= found;
      const ratio = found.first / smallest.first;
      const cells = [
        format,
        pages.toLocaleString('en'),
        `${found.first.toFixed(0)} ms`,
        `${((1_000 * found.first) / pages).toFixed(0)} µs`,
        `${found.memory.toFixed(0)} MB`,
        ...found.changes.map(
          ({ check, compare, links }) =>
            `${check.toFixed(1)} ms (${links} links checked, compared in ${compare.toFixed(1)} ms)`,
        ),
        `pages ×${pages / (SIZES[0] ?? 1)}: first run ×${ratio.toFixed(1)}`,
      ];
      console.log(cells.join(' | '));
    }
  }
}

async function runAlone(format: FormatName, pages: number): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), format, String(pages)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  return text;
}

async function measure(format: FormatName, pages: number): Promise<Measured> {
  const repository = new GeneratedRepository(format, pages);
  const engine = createEngine();
  const analyse = async (tree = repository.tree(), renames: ReturnType<typeof detectRenames> = []) =>
    await engine.analyse({ tree, directory: '', format, renames, read: repository.read });
  let tree = repository.tree();
  const [before, first] = await timed(() => analyse(tree));
  let last = before;
  const changes: Measured['changes'][number][] = [];
  for (const [kind, change] of Object.values(CHANGES).entries()) {
    const rounds: { check: number; compare: number; links: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      change(repository, repository.samplePages(kind * ROUNDS + round), round);
      const next = repository.tree();
      const renames = detectRenames(tree, next);
      const checked = engine.work.links;
      const [analysis, check] = await timed(() => analyse(next, renames));
      const [, compare] = await timed(async () => compareAnalyses(last, analysis, renames));
      rounds.push({ check, compare, links: engine.work.links - checked });
      tree = next;
      last = analysis;
    }
    const median = (key: 'check' | 'compare' | 'links') =>
      rounds.map((candidate) => candidate[key]).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
    changes.push({ check: median('check'), compare: median('compare'), links: median('links') });
  }
  return { first, memory: process.resourceUsage().maxRSS / 1_024, changes };
}

/** CPU time in milliseconds, on which other load on the machine has little effect. */
async function timed<Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, number]> {
  const start = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(start);
  return [answer, (user + system) / 1_000];
}

const [format, pages] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await measure(format as FormatName, Number(pages))));
}
