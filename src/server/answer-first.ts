import type { FastifyInstance } from 'fastify';
import type { AnswerFirst } from '../sites/index.ts';

/**
 * Asks for an answer to each request before the framework takes it apart. To be called before anything else listens to
 * requests, so that all of it sees each of them.
 *
 * @param check is always asked, and before all others
 * @returns what sets who is asked then
 */
export function answerFirst(fastify: FastifyInstance, check: AnswerFirst): (first: AnswerFirst) => void {
  const { server } = fastify;
  let asked: AnswerFirst | null = null;
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (check(request, response) || asked?.(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
  // Whoever still comes is told that the connection ends.
  fastify.addHook('preClose', async () => {
    asked = null;
  });
  return (first) => {
    asked = first;
  };
}
