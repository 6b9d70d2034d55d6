import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Limits the connections of a server so that whoever holds many of them open does not keep others out: at the limit, the
 * one that waits longest for its client is closed for a new one. Only when all of them wait for the server itself is the
 * new one closed.
 */
export function limitConnections(server: Server, limit: number): void {
  /** In the order of their last change, so that the first waits longest. */
  const open = new Map<Socket, Set<Exchange>>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= limit) {
      const longest = findLongestWaiting(open);
      if (longest === undefined) {
        socket.destroy();
        return;
      }
      open.delete(longest);
      longest.destroy();
    }
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const exchanges = open.get(socket);
    if (exchanges === undefined) return;
    const exchange: Exchange = [request, response];
    exchanges.add(exchange);
    response.once('close', () => {
      exchanges.delete(exchange);
      if (!open.delete(socket) || socket.destroyed) return;
      open.set(socket, exchanges);
    });
  });
}

function findLongestWaiting(open: ReadonlyMap<Socket, ReadonlySet<Exchange>>): Socket | undefined {
  const found = new Map<WaitsFor, Socket>();
  for (const [socket, exchanges] of open) {
    const reason = waitsFor(exchanges);
    if (!found.has(reason)) found.set(reason, socket);
    if (reason === 'request') break;
  }
  return found.get('request') ?? found.get('body') ?? found.get('reader');
}

type WaitsFor = 'request' | 'body' | 'reader' | 'server';

/** Responses are sent in the order of the requests, so the first one decides. */
function waitsFor([exchange]: ReadonlySet<Exchange>): WaitsFor {
  if (exchange === undefined) return 'request';
  const [request, response] = exchange;
  if (!request.complete) return 'body';
  return response.writableEnded || response.writableNeedDrain ? 'reader' : 'server';
}
