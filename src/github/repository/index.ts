export { type ConfigInForce, configInForce, putConfigInForce } from './config-in-force.ts';
export { findSpaces, ownTitles, type RepositorySpace, readBlobsOf, type SpaceSource } from './find-spaces.ts';
export { findLive, gitBody, listImports, SyncError, waitForImport } from './git-import.ts';
export { DISCONNECTED, describeSeen, recordRepository } from './record-repository.ts';
export {
  CONFIG_PATH,
  interpretConfig,
  NO_CONFIG,
  namedBranches,
  type RepositoryConfig,
  readRepositoryConfig,
  type SpaceBinding,
  type ValidConfig,
} from './repository-config.ts';
export { previewSourceOf, siteSourceOf } from './site-source.ts';
