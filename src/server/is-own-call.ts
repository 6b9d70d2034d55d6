import type { FastifyRequest } from 'fastify';

const OF_PROXIES = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/** Whether a request comes from a program on this machine, and not through a proxy here from somewhere else. */
export function isOwnCall({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const isProxied = OF_PROXIES.some((name) => headers[name] !== undefined);
  return !isProxied && /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
}
