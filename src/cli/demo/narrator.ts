/** Reports what happens and how long it took. */
export interface Narrator {
  /** Runs a step, then reports its name, its duration and its outcome. */
  step<T>(what: string, work: () => Promise<T>, outcome?: (value: T) => string): Promise<T>;
  say(line: string): void;
}

export function createNarrator(out: { write(text: string): unknown }): Narrator {
  return {
    async step(what, work, outcome) {
      const started = performance.now();
      const value = await work();
      const time = `${Math.round(performance.now() - started)} ms`.padStart(9);
      out.write(`${time}  ${what}${outcome ? `: ${outcome(value)}` : ''}\n`);
      return value;
    },
    say: (line) => void out.write(`${line}\n`),
  };
}

/** Polls every `everyMs` until the answer is not undefined. Throws an error that names `what` after `withinMs`. */
export async function waitFor<T>(
  what: string,
  poll: () => Promise<T | undefined>,
  {
    withinMs = 120_000,
    everyMs = 40,
    signal,
  }: { withinMs?: number; everyMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await poll();
    if (answer !== undefined) return answer;
    signal?.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s for ${what}, in vain.`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
