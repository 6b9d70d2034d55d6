import type { CommandIo } from '../command.ts';

export interface Progress {
  readonly say: (words: string) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** Shorter runs tell enough by ending. In milliseconds. */
const PATIENCE = 700;

/** One line on a terminal's standard error that says what a long run is at; nothing elsewhere. */
export function showProgress({ stderr }: Pick<CommandIo, 'stderr'>): Progress {
  if (stderr.isTTY !== true) return { say: () => {}, end: () => {} };
  const started = performance.now();
  let shown = false;
  return {
    say(words) {
      if (performance.now() - started < PATIENCE) return;
      const line = `${words.replace(/\p{Cc}/gu, '\u{fffd}')} …`.slice(
        0,
        Math.max(10, (stderr.columns ?? 80) - 1),
      );
      stderr.write(`\r\u001b[2K${line}`);
      shown = true;
    },
    end() {
      if (shown) stderr.write('\r\u001b[2K');
      shown = false;
    },
  };
}
