/** Composes the server process from the rooms. */

export { toAppCredentials } from './app-credentials.ts';
export { createLog, type Logger } from './log.ts';
export { acceptedSecrets, credentialsOf, loadStoredApp, type StoredApp } from './setup/stored-app.ts';
export { startServer } from './start-server.ts';
export { nameJobs } from './status/name-jobs.ts';
export { openTerminalLog } from './terminal-log.ts';
