/** Tells what happens and how long it took. */
export interface Narrator {
  /** Announces a step, waits for it, and tells its time and what came of it. */
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

/** Asks again every `everyMs` until the answer is not undefined. Throws with `what` after `withinMs`. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  {
    withinMs = 120_000,
    everyMs = 40,
    signal,
  }: { withinMs?: number; everyMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    signal?.throwIfAborted();
    if (performance.now() > end) throw new Error(`Waited ${withinMs / 1000} s for ${what}, in vain.`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
