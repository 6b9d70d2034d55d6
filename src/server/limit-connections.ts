import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = readonly [IncomingMessage, ServerResponse];

/** How often it is seen which bodies make progress. */
const LOOK_MS = 2_000;

interface Connection {
  readonly exchanges: Set<Exchange>;
  /** Bytes received by the last look; null until then. */
  received: number | null;
  /** Whether anything arrived between the last two looks; null until then. */
  progresses: boolean | null;
}

/**
 * Limits the connections of a server so that whoever holds many of them open does not keep others out: at the limit, the
 * one that waits longest for its client is closed for a new one. Only when all of them wait for the server itself is the
 * new one closed. Of bodies under way, those that stand still are closed first, then young ones, and last those that arrive,
 * however slowly: so many new connections do not end a long upload.
 *
 * @param look calls its argument again and again, to see which bodies make progress
 */
export function limitConnections(
  server: Server,
  limit: number,
  look: (see: () => void) => void = repeat(server),
): void {
  /** In the order of their last change, so that the first waits longest. */
  const open = new Map<Socket, Connection>();

  look(() => {
    for (const [socket, connection] of open) {
      const { received } = connection;
      connection.received = socket.bytesRead;
      if (received !== null) connection.progresses = socket.bytesRead > received;
    }
  });

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
    open.set(socket, { exchanges: new Set(), received: null, progresses: null });
    socket.once('close', () => open.delete(socket));
  });

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined) return;
    const exchange: Exchange = [request, response];
    connection.exchanges.add(exchange);
    response.once('close', () => {
      connection.exchanges.delete(exchange);
      if (!open.delete(socket) || socket.destroyed) return;
      open.set(socket, connection);
    });
  });
}

/** Looks for as long as the server listens. */
function repeat(server: Server): (see: () => void) => void {
  return (see) => {
    const timer = setInterval(see, LOOK_MS).unref();
    server.once('close', () => clearInterval(timer));
  };
}

/** Of each kind the first one; the kinds in the order in which they are closed. */
const KINDS = ['request', 'stalled body', 'young body', 'body', 'reader'] as const;

function findLongestWaiting(open: ReadonlyMap<Socket, Connection>): Socket | undefined {
  const found = new Map<WaitsFor, Socket>();
  for (const [socket, connection] of open) {
    const reason = waitsFor(connection);
    if (!found.has(reason)) found.set(reason, socket);
    if (reason === 'request') break;
  }
  const kind = KINDS.find((candidate) => found.has(candidate));
  return kind && found.get(kind);
}

type WaitsFor = (typeof KINDS)[number] | 'server';

/** Responses are sent in the order of the requests, so the first one decides. */
function waitsFor({ exchanges, progresses }: Connection): WaitsFor {
  const [exchange] = exchanges;
  if (exchange === undefined) return 'request';
  const [request, response] = exchange;
  if (!request.complete) return progresses === null ? 'young body' : progresses ? 'body' : 'stalled body';
  return response.writableEnded || response.writableNeedDrain ? 'reader' : 'server';
}
