import { ObjectSession } from './object-session.ts';

/** How long an idle session waits for the next caller: an import reads several times within a second. */
const idleMs = 5_000;
/** The largest number of idle sessions, over all repositories. */
const maxIdle = 8;

interface Idle {
  readonly session: ObjectSession;
  readonly timer: NodeJS.Timeout;
}

/**
 * Reuses one session per repository for some seconds after its last use. Starting a process takes a large parent tens
 * of milliseconds, in which it can do nothing else. A session serves one caller at a time.
 */
export class SessionPool {
  readonly #gitPath: string;
  readonly #idle = new Map<string, Idle>();

  constructor(gitPath: string) {
    this.#gitPath = gitPath;
  }

  /** Returns a session for the caller's exclusive use, until `release`. */
  acquire(gitDir: string, env: Readonly<Record<string, string>>): ObjectSession {
    const idle = this.#idle.get(gitDir);
    if (idle !== undefined) {
      this.#idle.delete(gitDir);
      clearTimeout(idle.timer);
      if (idle.session.isFree) {
        idle.session.blockExit(true);
        return idle.session;
      }
      idle.session.close();
    }
    return new ObjectSession({ gitPath: this.#gitPath, env });
  }

  /** Takes back a session. One with unread responses, whose caller stopped reading, cannot be reused. */
  release(gitDir: string, session: ObjectSession): void {
    if (!session.isFree || this.#idle.has(gitDir)) {
      session.close();
      return;
    }
    session.blockExit(false);
    const timer = setTimeout(() => this.drop(gitDir), idleMs).unref();
    this.#idle.set(gitDir, { session, timer });
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > maxIdle && oldest !== undefined) this.drop(oldest);
  }

  /** Closes the idle session, if there is one. */
  drop(gitDir: string): void {
    const idle = this.#idle.get(gitDir);
    if (idle === undefined) return;
    this.#idle.delete(gitDir);
    clearTimeout(idle.timer);
    idle.session.close();
  }
}
