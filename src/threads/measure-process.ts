import { readFile } from 'node:fs/promises';

/** What a process used so far. */
export interface ProcessUsage {
  /** In ms, of all its processors. */
  readonly cpuMs: number;
  /** In MiB. */
  readonly memoryMb: number;
}

/** Linux counts time in ticks of this length on every platform that Node.js runs on. */
const TICK_MS = 10;

/** Null where the system does not say: only Linux does. */
export async function measureProcess(pid: number | undefined): Promise<ProcessUsage | null> {
  if (process.platform !== 'linux' || pid === undefined) return null;
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  // The name of the process, the second field, may contain spaces and brackets.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '');
  if (fields.length < 13 || resident === null) return null;
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    memoryMb: Number(resident[1]) / 1024,
  };
}
