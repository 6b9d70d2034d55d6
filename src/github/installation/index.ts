export { handleInstallation } from './handle-installation.ts';
export { handleRepository } from './handle-repository.ts';
