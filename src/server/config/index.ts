/** The settings of a process, read and checked before anything opens. */
export { type LogLevel, loadServerConfig, loadStoreConfig, type ServerConfig } from './config.ts';
export type { GitHubConfig } from './github-settings.ts';
export type { Environment } from './settings.ts';
export { ConfigError } from './settings-reader.ts';
export type { StoreConfig } from './store-settings.ts';
