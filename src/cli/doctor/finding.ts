/** What one look at the set-up found. */
export interface Finding {
  /** `fail`: something does not work. `warn`: it works, or will, but somebody should know. */
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was looked at, in a word. */
  readonly check: string;
  /** One sentence, without secrets. */
  readonly message: string;
  /** What to do about it, where there is something to do. */
  readonly fix?: string;
}

/** Makes the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ level: 'ok', check, message }),
    warn: (message: string, fix: string): Finding => ({ level: 'warn', check, message, fix }),
    fail: (message: string, fix: string): Finding => ({ level: 'fail', check, message, fix }),
  };
}

const NAME_WIDTH = 13;

/** One line for each finding, and one more for what to do. */
export function writeFinding({ level, check, message, fix }: Finding): string {
  const head = `${level.padEnd(4)}  ${check.padEnd(NAME_WIDTH)}`;
  return `${head} ${message}\n${fix === undefined ? '' : `${' '.repeat(head.length)} → ${fix}\n`}`;
}
