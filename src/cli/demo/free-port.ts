import { once } from 'node:events';
import { createServer } from 'node:net';

/** The preferred port of this machine's loopback address, or any free one when it is in use. */
export async function freePort(preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      if (address !== null && typeof address === 'object') return address.port;
    } catch {
      // In use: try the next one.
    } finally {
      server.close();
    }
  }
  throw new Error('No port is free on 127.0.0.1: stop another program that listens there.');
}
