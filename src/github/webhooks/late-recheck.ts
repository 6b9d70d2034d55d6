/** Longer than a call of ours may be under way at GitHub after we gave it up. */
export const LATE_SECONDS = 60;

/** How hard a look is tried at what such a call may have left behind: nobody waits for it. */
export const LATE_RECHECK = {
  retryLimit: 8,
  retryDelay: 30,
  retryDelayMax: 3600,
  expireInSeconds: 300,
  concurrency: 1,
} as const;
