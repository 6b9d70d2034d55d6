export { compareInstallations } from './compare-installations.ts';
export type { ReconcileDeps } from './deps.ts';
export { enqueueSync } from './enqueue-sync.ts';
export { reconcile } from './reconcile.ts';
export { type RemovalDeps, removalTime, removeDisconnected } from './remove-disconnected.ts';
export { syncInstallation } from './sync-installation.ts';
