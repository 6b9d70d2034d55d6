import type { VisibleRepository } from '../routes/load-visible-status.ts';

/** What a button of the status page starts, by the value of `done` in the address. */
const ACTIONS = {
  sync: { running: 'is being synced', ended: 'is synced' },
  read: { running: 'has a specification that is being read', ended: 'has its specification read' },
  run: { running: 'has a translation that is running', ended: 'has its translation run' },
  retry: { running: 'has a job that runs again', ended: 'has its job run again' },
} as const;

/** Buttons whose work is not there. */
const NOTHING_DONE = {
  changed: 'That no longer exists, or you may not start it.',
  gone: 'There is no such failed job any more.',
} as const;

export type ActionName = keyof typeof ACTIONS | keyof typeof NOTHING_DONE;

export interface ActionNews {
  readonly words: string;
  readonly tone: 'good' | 'wait' | 'bad';
  /** Whether the page should be loaded again soon, because what was started has not ended. */
  readonly isUnderWay: boolean;
}

/** How often the page is loaded again at most: with 2 s between them, for about five minutes. */
export const MAX_LOOKS = 150;

export function isActionName(done: unknown): done is ActionName {
  return typeof done === 'string' && (Object.hasOwn(ACTIONS, done) || Object.hasOwn(NOTHING_DONE, done));
}

/**
 * What became of a pressed button. `visible` is the repository that it is about, null for work of none; `looks` is how
 * often the page was loaded again since. The first look is taken before anything can have ended.
 */
export function describeAction(
  done: ActionName,
  visible: VisibleRepository | null,
  looks: number,
): ActionNews {
  if (done === 'changed' || done === 'gone')
    return { words: NOTHING_DONE[done], tone: 'bad', isUnderWay: false };
  const { running, ended } = ACTIONS[done];
  if (visible === null) {
    const words =
      looks === 0 ? 'The job runs again. This page updates itself.' : 'The job was started again.';
    return { words, tone: 'good', isUnderWay: looks === 0 };
  }
  const { name } = visible.repository;
  if (looks === 0 || isBusy(visible)) {
    if (looks < MAX_LOOKS)
      return {
        words: `${name} ${running}. This page shows by itself how it ends.`,
        tone: 'wait',
        isUnderWay: true,
      };
    return { words: `${name} still ${running}; its state is below.`, tone: 'wait', isUnderWay: false };
  }
  return hasFailure(visible)
    ? { words: `${name} has something that failed: the reason is below.`, tone: 'bad', isUnderWay: false }
    : { words: `${name} ${ended}; what is live is below.`, tone: 'good', isUnderWay: false };
}

function isBusy({ repository, bindings, specifications, translations }: VisibleRepository): boolean {
  // A job that failed waits for another try: its reason is the result for now.
  return (
    repository.jobs.some(
      ({ state, error }) => state === 'running' || (state === 'waiting' && error === null),
    ) ||
    bindings.some(({ binding, operation }) => binding.importing || operation?.state === 'running') ||
    specifications.some(({ live }) => live !== null && live.processingState !== 'complete') ||
    translations.some(({ live }) => live?.status === 'running')
  );
}

function hasFailure({ repository, bindings, specifications, translations }: VisibleRepository): boolean {
  return (
    repository.jobs.some(({ state, error }) => state === 'failed' || error !== null) ||
    bindings.some(
      ({ binding, operation }) =>
        binding.disconnected === null && (binding.error !== null || operation?.state === 'failure'),
    ) ||
    specifications.some(({ spec }) => spec.error !== null) ||
    translations.some(({ live }) => live?.status === 'failed')
  );
}
