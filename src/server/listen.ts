import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from './config/index.ts';

/** Throws an error whose sentence says what is wrong with HOST or PORT. */
export async function listen(
  fastify: FastifyInstance,
  { host, port }: Pick<ServerConfig, 'host' | 'port'>,
): Promise<void> {
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const problems: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use. Stop the program that uses it, or set PORT to another one (0 for any free one).`,
      EACCES: `This user may not listen on port ${port}. Set PORT to one from 1024 on.`,
      EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one of its own, or to 0.0.0.0 for all.`,
      ENOTFOUND: `The host name ${host} is unknown. Set HOST to an address of this machine, or to 0.0.0.0 for all.`,
    };
    const problem = problems[(error as NodeJS.ErrnoException).code ?? ''];
    throw problem ? new Error(problem) : error;
  }
}

/** The address of this process on its own machine. */
export function listeningUrl(fastify: FastifyInstance): string {
  const address = fastify.server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The HTTP server is not listening yet.');
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host =
    everywhere[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}
