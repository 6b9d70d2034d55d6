export type { ReconcileDeps } from './deps.ts';
export { reconcile } from './reconcile.ts';
export { syncInstallation } from './sync-installation.ts';
