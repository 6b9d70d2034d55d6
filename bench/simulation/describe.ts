import type { CapacityFigures, Cost } from './figures.ts';
import { ASSUMPTIONS, type Outcome, simulate, type Wall } from './simulate.ts';

/** The sizes that `docs/scale.md` tells about. */
export const SIZES = [100, 10_000, 1_000_000] as const;

const NAMES: Readonly<Record<string, string>> = {
  import: 'first import of the repository',
  push: 'push that changes three pages',
  pull: 'pull request with one commit, its push included',
  firstView: 'page view, first after a change',
  view: 'page view, afterwards',
  search: 'search of a space',
  export: 'edit on the platform, exported as a commit',
};

/** The tables of `docs/scale.md`, by the names of their marks. */
export function describeScale(figures: CapacityFigures): Readonly<Record<string, string>> {
  const outcomes = SIZES.map((size) => simulate(figures, size));
  return {
    costs: costs(figures),
    tables: tables(figures),
    outcomes: table(
      ['', ...outcomes.map(({ repositories }) => `${thousands(repositories)} repositories`)],
      rows(outcomes),
    ),
    walls: table(
      ['', ...outcomes.map(({ repositories }) => `${thousands(repositories)} repositories`)],
      walls(outcomes),
    ),
    assumptions: assumptions(),
  };
}

/** Puts tables between their marks in a text, `<!-- name -->` and `<!-- /name -->`. */
export function fillMarks(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (filled, [name, part]) =>
      filled.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_all, start: string, end: string) => `${start}\n${part}\n\n${end}`,
      ),
    text,
  );
}

function costs({ costs: measured }: CapacityFigures): string {
  const cells = ([name, cost]: [string, Cost]) => [
    NAMES[name] ?? name,
    ms(cost.serverCpuMs),
    ms(cost.databaseCpuMs),
    number(cost.rows),
    bytes(cost.walBytes),
    bytes(cost.databaseBytes),
    bytes(cost.storeBytes),
    number(cost.calls),
  ];
  return table(
    [
      '',
      'server',
      'PostgreSQL',
      'rows written',
      'write-ahead log',
      'database grows',
      'byte store grows',
      'calls to GitHub',
    ],
    Object.entries(measured).map(cells),
  );
}

function tables({ tables: sizes }: CapacityFigures): string {
  const largest = Object.entries(sizes).slice(0, 8);
  return table(
    ['table', 'bytes for one repository, with indexes'],
    largest.map(([name, size]) => [`\`${name}\``, bytes(size)]),
  );
}

function rows(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const row = (name: string, of: (outcome: Outcome) => string) => [name, ...outcomes.map(of)];
  return [
    row(
      'installations; the largest has',
      ({ installations, largest }) => `${thousands(installations)}; ${thousands(largest)}`,
    ),
    row('a push is live after, half / 95%', ({ live }) => `${seconds(live.p50)} / ${seconds(live.p95)}`),
    row('processors for workers', ({ workerCores }) => thousands(workerCores)),
    row('processors for `web`', ({ webCores }) => thousands(webCores)),
    row('processors for PostgreSQL', ({ databaseCores }) => number(databaseCores)),
    row('rows written per second', ({ rowsPerSecond }) => number(rowsPerSecond)),
    row('write-ahead log per second', ({ walPerSecond }) => bytes(walPerSecond)),
    row('database', ({ databaseBytes }) => bytes(databaseBytes)),
    row('byte store', ({ storeBytes }) => bytes(storeBytes)),
    row(
      'calls of the largest installation in the hour, of those it may make',
      ({ calls, callsAllowed }) => `${thousands(Math.round(calls))} of ${thousands(callsAllowed)}`,
    ),
    row('jobs that waited for the next hour of GitHub’s limit', ({ delayed }) => thousands(delayed)),
    row('every repository compared with GitHub once', ({ comparisonSeconds }) => seconds(comparisonSeconds)),
  ];
}

/** What is used of each limit, the first wall in bold. */
function walls(outcomes: readonly Outcome[]): readonly (readonly string[])[] {
  const names = outcomes[0]?.walls.map(({ name }) => name).sort() ?? [];
  return names.map((name) => [
    name,
    ...outcomes.map((outcome) => {
      const wall = outcome.walls.find((one) => one.name === name) as Wall;
      const used = `${number((100 * wall.needed) / wall.available)}% of ${thousands(wall.available)} ${wall.unit}`;
      return outcome.walls[0] === wall ? `**${used}**` : used;
    }),
  ]);
}

function assumptions(): string {
  const { perDay, peak, skew, callSeconds, querySeconds, busy, liveSeconds, keptPushes, database } =
    ASSUMPTIONS;
  return [
    `each repository has ${perDay.push} pushes, ${perDay.pull} pull requests, ${perDay.export} exports, ${perDay.view + perDay.firstView} page views (${perDay.firstView} of them the first after a change) and ${perDay.search} searches a day`,
    `the busiest hour has ${peak} times the average`,
    `the n-th largest installation has a share of 1 / n^${skew} of the repositories`,
    `a call to GitHub takes ${1_000 * callSeconds} ms, and a query for the tips of a hundred branches ${querySeconds} s`,
    `processors are used to ${100 * busy}%, and workers are added until 95% of the pushes are live within ${liveSeconds} s`,
    `${keptPushes} pushes of each space stay in its history`,
    `one PostgreSQL has ${database.cores} processors, writes ${bytes(database.walBytesPerSecond)} of log per second, and holds ${bytes(database.bytes)}`,
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const thousands = (value: number) => value.toLocaleString('en');

function number(value: number): string {
  if (value === 0) return '0';
  if (value < 10) return String(Number(value.toPrecision(2)));
  return thousands(Math.round(value));
}

const ms = (value: number) => `${number(value)} ms`;

function seconds(value: number): string {
  if (value < 120) return `${number(value)} s`;
  if (value < 7_200) return `${number(value / 60)} min`;
  return `${number(value / 3_600)} h`;
}

function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let size = value;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${number(size)} ${units[unit]}`;
}
