/** The settings of a process, read and checked before anything opens. */
export {
  ConfigError,
  type Environment,
  type GitHubConfig,
  type LogLevel,
  loadServerConfig,
  loadStoreConfig,
  type ServerConfig,
  type StoreConfig,
} from './config.ts';
