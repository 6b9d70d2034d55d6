/** Longer than a call of ours may be under way at GitHub after we gave it up. */
export const LATE_SECONDS = 60;
