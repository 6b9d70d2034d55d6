import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux, macOS and Windows give to whoever asks for any, as hundreds of servers of a test run do:
 * so a port is still free when the program that is told it starts, and when it starts again. Above those that browsers
 * refuse.
 */
const RANGE = { from: 12_000, to: 32_000 };

/** A port of the loopback address for a server that has to be told one. */
export async function pickPort(): Promise<number> {
  for (;;) {
    const port = randomInt(RANGE.from, RANGE.to);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Those of a stage (`openStage`), which takes any where it is told none. */
export async function pickStagePorts(): Promise<{ readonly docloom: number; readonly forge: number }> {
  return { docloom: await pickPort(), forge: await pickPort() };
}
