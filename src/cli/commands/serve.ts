import { once } from 'node:events';
import { loadServerConfig } from '../../server/config/index.ts';
import { createLog, openTerminalLog, startServer } from '../../server/index.ts';
import type { CommandIo, ExitCode } from '../command.ts';
import { describeServer } from '../describe-server.ts';
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
  const server = await startServer(config, createLog(config.logLevel, openTerminal(io)));
  if (io.stdout.isTTY) io.stdout.write(describeServer(server));
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await server.close();
  return 0;
}

/** Programs that collect logs read JSON; a person at a terminal reads lines. Undefined when there is no terminal. */
function openTerminal({ stdout, env }: CommandIo) {
  if (!stdout.isTTY) return undefined;
  return openTerminalLog(stdout, { colours: stdout.hasColors(env) });
}
