import { onTestFinished, vi } from 'vitest';

/** It is noon (UTC) until the test ends, for one that counts what happens on a day. Only of this process, not of the database. */
export function stayInDay(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) });
  onTestFinished(() => void vi.useRealTimers());
}
