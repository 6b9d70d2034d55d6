import { loadStoreConfig } from '../server/config/index.ts';
import { hasCluster, openStore, type Store } from '../store/index.ts';
import { type CommandIo, UsageError } from './command.ts';
import { prepareFolder } from './prepare-folder.ts';

/**
 * Opens the database that `docloom serve` uses.
 *
 * @throws UsageError where there is none: a new one would be empty, and most likely in the wrong folder.
 */
export async function openExistingStore({ env }: Pick<CommandIo, 'env'>): Promise<Store> {
  const { dataDir, databaseUrl, databaseDirectUrl } = loadStoreConfig(env);
  if (databaseUrl === null && !hasCluster(dataDir)) {
    throw new UsageError(
      `There is no database in ${dataDir}: set DATA_DIR to the folder of docloom serve, or DATABASE_URL to its database, or start docloom serve first.`,
    );
  }
  await prepareFolder(dataDir, 'DATA_DIR');
  return await openStore({
    dataDir,
    databaseUrl,
    databaseDirectUrl,
    poolSize: 2,
  });
}
