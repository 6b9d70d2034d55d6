import { open, readFile, rename } from 'node:fs/promises';
import type { DeliveryAttempt, DeliveryRecord } from './records.ts';

/** An entry of the journal: a new delivery, or an attempt to deliver one. */
type Entry =
  | { readonly delivery: DeliveryRecord }
  | { readonly guid: string; readonly attempt: DeliveryAttempt };

/**
 * The deliveries on disk, one change per line, since they are many and large: writing them all for each attempt would take
 * longer than delivering them. Entries that are added during a write go into the next one.
 */
export class DeliveryJournal {
  readonly #path: string;
  #waiting: string[] = [];
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Reads the journal of an earlier run, and starts a new one with its newest `limit` deliveries. */
  static async open(
    path: string,
    limit: number,
  ): Promise<{ readonly journal: DeliveryJournal; readonly deliveries: DeliveryRecord[] }> {
    const deliveries = (await readDeliveries(path)).slice(-limit);
    const draft = `${path}.new`;
    await write(draft, 'w', deliveries.map((delivery) => lineOf({ delivery })).join(''));
    await rename(draft, path);
    return { journal: new DeliveryJournal(path), deliveries };
  }

  /** Resolves when the change is on disk. */
  add(entry: Entry): Promise<void> {
    this.#waiting.push(lineOf(entry));
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        const lines = this.#waiting.join('');
        this.#waiting = [];
        this.#running = write(this.#path, 'a', lines);
        return this.#running;
      });
    return this.#next;
  }
}

function lineOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

async function write(path: string, flags: 'a' | 'w', text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readDeliveries(path: string): Promise<readonly DeliveryRecord[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const known = new Map<string, DeliveryRecord>();
  // A crash may have cut off the last line; its write was never reported as done.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '') continue;
    const entry = readLine(line, path);
    if ('delivery' in entry)
      known.set(entry.delivery.guid, { ...entry.delivery, attempts: [...entry.delivery.attempts] });
    else known.get(entry.guid)?.attempts.push(entry.attempt);
  }
  return [...known.values()];
}

function readLine(line: string, path: string): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch (cause) {
    throw new Error(`${path} is damaged. Remove the file to start without earlier deliveries.`, {
      cause,
    });
  }
}
