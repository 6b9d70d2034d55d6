import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { statusEventsPath } from '../addresses.ts';
import { type PagesContext, signedIn } from './signed-in.ts';

/** Of one process, and of one person: browsers with more than these show the page as it was loaded. */
const MAX_STREAMS = 500;
const MAX_STREAMS_OF_ONE = 6;

/** Proxies end connections on which nothing comes for a while; a minute is the shortest usual limit. */
const HEARTBEAT_MS = 20_000;

/** Changes within this time are told together. */
const TOGETHER_MS = 1_000;

/** How soon browsers connect again. */
const RETRY_MS = 5_000;

interface Stream {
  readonly owner: string;
  end(): void;
}

/**
 * `/status/events`: tells browsers that the status may have changed, and nothing else; what they may see of it, they load.
 * All streams of a process share what `watch` listens to. A stream ends with its session.
 */
export function registerStatusEvents(
  app: FastifyInstance,
  context: PagesContext,
  watch: NonNullable<PagesContext['watchStatus']>,
): void {
  const streams = new Set<Stream>();
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const stream of streams) stream.end();
  });

  app.get(
    statusEventsPath,
    // Compressed, an event would wait in the compressor until there are more.
    { compress: false },
    signedIn(context, async ({ session, request, reply }) => {
      const owner = session.userId ?? session.token;
      const own = [...streams].filter((stream) => stream.owner === owner).length;
      if (isStopping || streams.size >= MAX_STREAMS || own >= MAX_STREAMS_OF_ONE)
        return reply
          .code(503)
          .header('retry-after', '60')
          .type('text/plain; charset=utf-8')
          .send('Too many pages listen already; reload the page to see what changed.');
      const body = new PassThrough();
      const write = (text: string) => {
        // Who reads nothing for long is told nothing more.
        if (body.writableLength < 16_384) body.write(text);
      };
      let waiting: NodeJS.Timeout | undefined;
      /** Nothing is told of what came after the end of a session. */
      const tell = async (text: string) => {
        const isOpen = await context.sessions.isOpen(request).catch(() => false);
        if (isOpen) write(text);
        else end();
      };
      const stopWatching = watch(() => {
        waiting ??= setTimeout(() => {
          waiting = undefined;
          void tell('event: change\ndata:\n\n');
        }, TOGETHER_MS);
      });
      const heartbeat = setInterval(() => void tell(':\n\n'), HEARTBEAT_MS);
      const stream = { owner, end };
      streams.add(stream);
      function end(): void {
        streams.delete(stream);
        stopWatching();
        clearInterval(heartbeat);
        clearTimeout(waiting);
        body.end();
      }
      request.raw.socket.once('close', end);
      body.once('close', end);
      write(`retry: ${RETRY_MS}\n\n`);
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
        .send(body);
    }),
  );
}
