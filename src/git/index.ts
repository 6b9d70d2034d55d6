export { entryNameProblem, windowsNameProblem } from './check-entry-name.ts';
export { type HashName, hashOf, objectOid } from './object-oid.ts';
export { openRepositoryCache, type RepositoryCacheOptions } from './open-repository-cache.ts';
export { CatFile } from './program/cat-file.ts';
export { localEnvironment } from './program/environment.ts';
export { redact, splitCredentials } from './remote.ts';
export * from './repository.ts';
