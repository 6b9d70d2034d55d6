import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is seen which connections make progress. */
const LOOK_MS = 2_000;

interface Connection {
  /** To its last request; null until there is one. */
  response: ServerResponse | null;
  /** To requests that came before it and were not answered then, in their order. */
  readonly earlier: Set<ServerResponse>;
  /** Grows with each change of any connection, so that the smallest one waits longest. */
  changed: number;
  /** Whether an answer was under way at the last look. */
  wasBusy: boolean;
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
 * Nothing listens to the end of an answer, which each one would pay for: it is seen when somebody has to go, and at each look.
 *
 * @param look calls its argument again and again, to see which connections make progress
 */
export function limitConnections(
  server: Server,
  limit: number,
  look: (see: () => void) => void = repeat(server),
): void {
  const open = new Map<Socket, Connection>();
  let changes = 0;

  look(() => {
    for (const [socket, connection] of open) {
      const { received, wasBusy } = connection;
      connection.received = socket.bytesRead;
      if (received !== null) connection.progresses = socket.bytesRead > received;
      connection.wasBusy = findUnanswered(connection) !== undefined;
      if (wasBusy && !connection.wasBusy) connection.changed = ++changes;
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
    open.set(socket, {
      response: null,
      earlier: new Set(),
      changed: ++changes,
      wasBusy: false,
      received: null,
      progresses: null,
    });
    socket.once('close', () => open.delete(socket));
  });

  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    const { response: before } = connection;
    if (before !== null && findUnanswered(connection) !== undefined) connection.earlier.add(before);
    connection.response = response;
    connection.changed = ++changes;
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
  const found = new Map<WaitsFor, readonly [Socket, Connection]>();
  for (const entry of open) {
    const kind = waitsFor(entry[1]);
    const longest = found.get(kind);
    if (longest === undefined || entry[1].changed < longest[1].changed) found.set(kind, entry);
  }
  const kind = KINDS.find((candidate) => found.has(candidate));
  return kind && found.get(kind)?.[0];
}

type WaitsFor = (typeof KINDS)[number] | 'server';

function waitsFor(connection: Connection): WaitsFor {
  const response = findUnanswered(connection);
  if (response === undefined) return 'request';
  const { progresses } = connection;
  if (!response.req.complete)
    return progresses === null ? 'young body' : progresses ? 'body' : 'stalled body';
  return response.writableEnded || response.writableNeedDrain ? 'reader' : 'server';
}

/** The first response that is not sent whole: they are sent in the order of their requests. */
function findUnanswered({ earlier, response }: Connection): ServerResponse | undefined {
  for (const one of earlier) {
    if (!one.closed) return one;
    earlier.delete(one);
  }
  return response === null || response.closed ? undefined : response;
}
