/** Reads from the system how much processor time processes used; proc(5). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** In seconds. */
  readonly own: number;
  /** Of its children that ended, and of theirs. */
  readonly ended: number;
}

async function listProcesses(): Promise<readonly Process[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  );
  return stats.flatMap((stat, at) => {
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // utime, stime, cutime and cstime are the fields 14 to 17, in hundredths.
    const [, parent = 0] = fields;
    const seconds = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / 100;
    return stat === '' ? [] : [{ pid: Number(names[at]), parent, own: seconds(11), ended: seconds(13) }];
  });
}

export interface CpuSeconds {
  /** Of the process and of its children that exited, such as git. */
  readonly server: number;
  readonly database: number;
}

/** All processes of the database are children of the postmaster, which includes the CPU time of those that exited. */
export async function readCpu(pid: number, dataDir: string): Promise<CpuSeconds> {
  const postmaster = await findPostmaster(dataDir);
  const seconds = { server: 0, database: 0 };
  for (const one of await listProcesses()) {
    const isDatabase = postmaster !== null && (one.pid === postmaster || one.parent === postmaster);
    if (one.pid === pid || isDatabase) seconds[isDatabase ? 'database' : 'server'] += one.own + one.ended;
  }
  return seconds;
}

export interface TreeCpuSeconds {
  /** Of the process and of all below it that run. */
  readonly running: number;
  /** Of all below it that ended. */
  readonly ended: number;
}

/** @param without the process, with all below it, that does not count, such as a database that the first one started */
export async function readTreeCpu(pid: number, without: number | null = null): Promise<TreeCpuSeconds> {
  const processes = await listProcesses();
  const seconds = { running: 0, ended: 0 };
  const add = (one: Process) => {
    if (one.pid === without) return;
    seconds.running += one.own;
    seconds.ended += one.ended;
    for (const child of processes) if (child.parent === one.pid) add(child);
  };
  const first = processes.find((one) => one.pid === pid);
  if (first !== undefined) add(first);
  return seconds;
}

/** Of this process and of its children that ended, in seconds. */
export async function readOwnCpu(): Promise<number> {
  const own = (await listProcesses()).find(({ pid }) => pid === process.pid);
  return (own?.own ?? 0) + (own?.ended ?? 0);
}

export async function findPostmaster(dataDir: string): Promise<number | null> {
  const names = await readdir(dataDir, { recursive: true }).catch(() => []);
  const file = names.find((name) => name.endsWith('postmaster.pid'));
  if (file === undefined) return null;
  const [pid] = (await readFile(join(dataDir, file), 'utf8').catch(() => '')).split('\n');
  return pid === undefined || pid === '' ? null : Number(pid);
}
