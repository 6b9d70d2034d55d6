import type { CommandIo } from '../command.ts';

export interface Progress {
  readonly update: (words: string) => void;
  /** Clears the line. */
  readonly clear: () => void;
}

/** Shorter runs show no progress. In milliseconds. */
const PATIENCE = 700;

/** Between two updates. In milliseconds. */
const PAUSE = 100;

/** One line on a terminal's standard error that shows what a long run is doing; nothing elsewhere, and not in a pipeline. */
export function showProgress({ stderr, env }: Pick<CommandIo, 'stderr' | 'env'>): Progress {
  const mayMove = stderr.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
  if (!mayMove) return { update: () => {}, clear: () => {} };
  let next = performance.now() + PATIENCE;
  let shown = false;
  return {
    update(words) {
      const now = performance.now();
      if (now < next) return;
      next = now + PAUSE;
      const line = `${words.replace(/\p{Cc}/gu, '\u{fffd}')} …`.slice(
        0,
        Math.max(10, (stderr.columns ?? 80) - 1),
      );
      stderr.write(`\r\u001b[2K${line}`);
      shown = true;
    },
    clear() {
      if (shown) stderr.write('\r\u001b[2K');
      shown = false;
    },
  };
}
