import { once } from 'node:events';
import { loadServerConfig } from '../../server/config/index.ts';
import type { CommandIo, ExitCode } from '../command.ts';
import { describeServer } from '../describe-server.ts';
import { disableMemoryReducer } from '../disable-memory-reducer.ts';
import { prepareFolder } from '../prepare-folder.ts';

/** `docloom serve`: runs until it is stopped, then shuts down gracefully. */
export async function runServe(
  { role, queues }: { readonly role?: string; readonly queues?: string },
  io: CommandIo,
): Promise<ExitCode> {
  const config = loadServerConfig({
    ...io.env,
    ...(role !== undefined && { ROLE: role }),
    ...(queues !== undefined && { QUEUES: queues }),
  });
  await prepareFolder(config.dataDir, 'DATA_DIR');
  if (config.role !== 'worker') disableMemoryReducer();
  // Loading all of the server takes a second, and whoever mistyped a setting reads so at once.
  const { createLog, openTerminalLog, startServer } = await import('../../server/index.ts');
  // Programs that collect logs read JSON; a person at a terminal reads lines.
  const terminal = io.stdout.isTTY
    ? openTerminalLog(io.stdout, { colours: io.stdout.hasColors(io.env) })
    : undefined;
  const server = await startServer(config, createLog(config.logLevel, terminal));
  if (io.stdout.isTTY) io.stdout.write(describeServer(server));
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await server.close();
  return 0;
}
