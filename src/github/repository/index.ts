export { type ConfigInForce, configInForce, putConfigInForce } from './config-in-force.ts';
export { type FoundSpace, findSpaces, ownTitles, type SpaceSource } from './find-spaces.ts';
export { findLive, gitBody, listImports, SyncError, waitForImport } from './git-import.ts';
export { DISCONNECTED, describeSeen, noteRepository } from './record-repository.ts';
export {
  CONFIG_PATH,
  type GoodConfig,
  interpretConfig,
  NO_CONFIG,
  type RepositoryConfig,
  readRepositoryConfig,
  type SpaceConfig,
} from './repository-config.ts';
