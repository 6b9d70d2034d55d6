import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import S3rver from '@20minutes/s3rver';
import type { ObjectStoreSettings } from '../../src/store/index.ts';

/** What happens to a request instead of its answer. */
export type ObjectFault =
  /** Answers it with a status and a code. */
  | { readonly status: number; readonly code: string }
  /** Answers other bytes, as many as the right ones. */
  | 'other-bytes'
  /** Breaks off after half of the bytes. */
  | 'half'
  /** Closes the connection without an answer. */
  | 'no-answer';

export interface ObjectServer {
  readonly settings: ObjectStoreSettings;
  /** How many requests came, by method. */
  readonly requests: Map<string, number>;
  /** Decides on each request; null lets it pass. */
  fault: (method: string, path: string) => ObjectFault | null;
  close(): Promise<void>;
}

/** A real S3-compatible server on a folder, which checks signatures, behind a proxy that makes faults. */
export async function startObjectServer(folder: string): Promise<ObjectServer> {
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 'objects'),
    configureBuckets: [{ name: 'docs' }],
  });
  const { port: behind } = await s3.run();
  const proxy = createServer((incoming, answer) => void pass(incoming, answer));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;

  const server: ObjectServer = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'docs',
      prefix: 'bytes/',
      pathStyle: true,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      sessionToken: null,
    },
    requests: new Map(),
    fault: () => null,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await s3.close();
    },
  };

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    server.requests.set(method, (server.requests.get(method) ?? 0) + 1);
    const fault = server.fault(method, path);
    if (fault === 'no-answer') return void incoming.destroy();
    if (fault !== null && typeof fault === 'object') {
      incoming.resume();
      await finished(incoming).catch(() => {});
      answer.writeHead(fault.status, { 'content-type': 'application/xml' });
      return void answer.end(method === 'HEAD' ? '' : `<Error><Code>${fault.code}</Code></Error>`);
    }
    const outgoing = request({ host: '127.0.0.1', port: behind, method, path, headers }, async (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      if (fault === null) return void response.pipe(answer);
      const bytes = Buffer.concat(await response.toArray());
      if (fault === 'other-bytes') return void answer.end(bytes.fill('x'));
      answer.write(bytes.subarray(0, bytes.length >> 1), () => answer.destroy());
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  }

  return server;
}
