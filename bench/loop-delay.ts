/**
 * Loaded into a server that is measured: appends to the file LOOP_DELAY_FILE, 20 times per second, how long its event loop
 * was blocked at most, in ms. Delays that the processor's other work causes do not count: a blocked loop uses it.
 */
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const file = process.env['LOOP_DELAY_FILE'];
if (file !== undefined && process.argv.includes('serve')) {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    appendFileSync(file, `${Math.min(delay.max / 1e6, (user + system) / 1e3).toFixed(0)}\n`);
    delay.reset();
  }, 50).unref();
}
