export type { ReconcileDeps } from './deps.ts';
export { reconcile } from './reconcile.ts';
export { followInstallation } from './sync-installation.ts';
