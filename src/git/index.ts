export { openRepositoryCache, type RepositoryCacheOptions } from './open-repository-cache.ts';
export { redact, splitCredentials } from './remote.ts';
export * from './repository.ts';
