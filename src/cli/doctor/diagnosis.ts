/** One finding about the set-up. */
export interface Diagnosis {
  /** `fail`: something does not work. `warn`: it works, or will, but somebody should know. */
  readonly level: 'ok' | 'warn' | 'fail';
  /** The name of the check, in a word. */
  readonly check: string;
  /** One sentence, without secrets. */
  readonly message: string;
  /** What to do about it, if anything. */
  readonly fix?: string;
}

/** Creates the findings of one check. */
export function diagnosesOf(check: string) {
  return {
    ok: (message: string): Diagnosis => ({ level: 'ok', check, message }),
    warn: (message: string, fix: string): Diagnosis => ({ level: 'warn', check, message, fix }),
    fail: (message: string, fix: string): Diagnosis => ({ level: 'fail', check, message, fix }),
  };
}

const NAME_WIDTH = 13;

/** One line for each finding, and one more for what to do. */
export function formatDiagnosis({ level, check, message, fix }: Diagnosis): string {
  const head = `${level.padEnd(4)}  ${check.padEnd(NAME_WIDTH)}`;
  return `${head} ${message}\n${fix === undefined ? '' : `${' '.repeat(head.length)} → ${fix}\n`}`;
}
