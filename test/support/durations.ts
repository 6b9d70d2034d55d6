import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';

const RECORD = new URL('durations.json', import.meta.url);

/** Seconds that each test file took when `npm run test:record` ran last, by its path from the repository's root. */
export function readDurations(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(RECORD, 'utf8'));
}

/** Rooms whose tests start hundreds of programs and load little else. */
const STARTS_PROGRAMS = /^test\/(cli|git|sandbox)\//;

/**
 * Starts the longest files first, so that no worker is left with one of them at the end. A file that is not recorded
 * may be long and comes before them. Before all others come the rooms that start many programs: that takes a worker
 * the longer the more memory it has, and later it has several times as much.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const pathOf = ({ moduleId }: TestSpecification) => relative(process.cwd(), moduleId);
    const rankOf = (file: TestSpecification) => Number(!STARTS_PROGRAMS.test(pathOf(file)));
    const secondsOf = (file: TestSpecification) => durations[pathOf(file)] ?? Number.MAX_VALUE;
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || secondsOf(b) - secondsOf(a));
  }
}

/** A reporter that records how long the files of this run took, and removes those that do not exist any more. */
export default class RecordDurations implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const durations = new Map(Object.entries(readDurations()));
    for (const module of modules) {
      const { collectDuration, duration } = module.diagnostic();
      if (module.ok())
        durations.set(
          relative(process.cwd(), module.moduleId),
          Math.round(collectDuration + duration) / 1000,
        );
    }
    const rows = [...durations]
      .filter(([path]) => existsSync(path))
      .map(([path, seconds]) => [path, Number(seconds.toFixed(1))] as const)
      .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
    writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
  }
}
