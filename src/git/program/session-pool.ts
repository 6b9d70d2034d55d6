import { ObjectSession } from './object-session.ts';

/** How long a session waits for the next who asks: an import reads several times within a second. */
const idleMs = 5_000;
/** Sessions that wait at most, over all repositories. */
const maxIdle = 8;

interface Idle {
  readonly session: ObjectSession;
  readonly timer: NodeJS.Timeout;
}

/**
 * Keeps one session per repository for some seconds after its last use. Starting a process takes a large parent tens
 * of milliseconds, in which it can do nothing else. A session serves one at a time.
 */
export class SessionPool {
  readonly #gitPath: string;
  readonly #idle = new Map<string, Idle>();

  constructor(gitPath: string) {
    this.#gitPath = gitPath;
  }

  /** A session of its own for who asks, until `giveBack`. */
  acquire(gitDir: string, env: Readonly<Record<string, string>>): ObjectSession {
    const idle = this.#idle.get(gitDir);
    if (idle !== undefined) {
      this.#idle.delete(gitDir);
      clearTimeout(idle.timer);
      if (idle.session.isFree) {
        idle.session.holdProcess(true);
        return idle.session;
      }
      idle.session.close();
    }
    return new ObjectSession({ gitPath: this.#gitPath, env });
  }

  /** One that still owes answers to who stopped asking is of no use to others. */
  release(gitDir: string, session: ObjectSession): void {
    if (!session.isFree || this.#idle.has(gitDir)) {
      session.close();
      return;
    }
    session.holdProcess(false);
    const timer = setTimeout(() => this.drop(gitDir), idleMs).unref();
    this.#idle.set(gitDir, { session, timer });
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > maxIdle && oldest !== undefined) this.drop(oldest);
  }

  /** Ends the session that waits, if any does. */
  drop(gitDir: string): void {
    const idle = this.#idle.get(gitDir);
    if (idle === undefined) return;
    this.#idle.delete(gitDir);
    clearTimeout(idle.timer);
    idle.session.close();
  }
}
