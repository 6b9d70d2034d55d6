import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StoreProcess {
  readonly answer: {
    readonly url: string;
    readonly tables: number;
    readonly uid: number;
    readonly error?: string;
  };
  /** Lets it close its store and end. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL('./store-process.ts', import.meta.url));
const children = new Set<ChildProcess>();

/** Starts `store-process.ts` and waits until its store is open. */
export async function openProcess(dataDir: string, uid?: number): Promise<StoreProcess> {
  const args = [script, dataDir, ...(uid === undefined ? [] : [String(uid)])];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/' });
  children.add(child);
  const exit = once(child, 'exit').then(() => void children.delete(child));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    answer: JSON.parse(line),
    close() {
      child.stdin.end();
      return exit;
    },
    kill() {
      child.kill('SIGKILL');
      return exit;
    },
  };
}

/** For `afterEach`: nothing outlives a test that failed. */
export function killProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
