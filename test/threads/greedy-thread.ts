/** Takes memory without end: outside of the heap of the engine, or in one array. */
import { serveThread } from '../../src/threads/index.ts';

serveThread(async (kind: 'native' | 'array') => {
  const buffers: Buffer[] = [];
  const numbers: number[] = [];
  for (let at = 0; ; at += 1) {
    if (kind === 'array') numbers.push(at);
    else buffers.push(Buffer.alloc(16 * 1024 * 1024, 1));
  }
});
