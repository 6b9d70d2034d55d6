/** Longer than a call may still be under way at GitHub after it was given up here. */
export const LATE_SECONDS = 60;

/** The retries of a job that inspects what such a call may have left behind; nobody waits for it. */
export const LATE_RECHECK = {
  retryLimit: 8,
  retryDelay: 30,
  retryDelayMax: 3600,
  expireInSeconds: 300,
  concurrency: 1,
} as const;
