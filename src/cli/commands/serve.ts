import { once } from 'node:events';
import { loadServerConfig } from '../../server/config/index.ts';
import { createLog, startServer } from '../../server/index.ts';
import type { CommandIo, ExitCode } from '../command.ts';
import { prepareFolder } from '../prepare-folder.ts';

/** `docloom serve`: runs until it is stopped, then shuts down gracefully. */
export async function runServe(io: CommandIo): Promise<ExitCode> {
  const config = loadServerConfig(io.env);
  await prepareFolder(config.dataDir, 'DATA_DIR');
  const server = await startServer(config, createLog(config.logLevel));
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await server.close();
  return 0;
}
