/**
 * Work that can be interrupted: each step yields how much it did, in links and files. Between two steps others may run, and
 * change whatever they share with it.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** Work after which others get their turn: a millisecond, or more where each link is compared with thousands of patterns. */
export const WORK_PER_TURN = 100;

/** Does all steps at once. */
export function doAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the steps, and lets others use the thread in between: a repository may have millions of links. */
export async function doInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let work = 0; ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    work += step.value;
    if (work < WORK_PER_TURN) continue;
    work = 0;
    await turn();
  }
}

/** Lets others use the thread. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
