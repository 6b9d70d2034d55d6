/**
 * How long a test waits for what is sure to come before it calls it a failure, in milliseconds. Far above what it takes
 * on a machine at rest, so that a busy one fails nothing, and below the limit of a whole test in vitest.config.ts.
 */
export const PATIENCE_MS = 120_000;
