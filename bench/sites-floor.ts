/** The floor of the benchmark of sites: Fastify with one answer of the given bytes in memory. Prints its port. */
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const body = readFileSync(process.argv[2] ?? '');
const app = fastify();
app.get('/', async (_request, reply) =>
  reply.type('text/html; charset=utf-8').header('content-encoding', 'br').send(body),
);
console.log(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
