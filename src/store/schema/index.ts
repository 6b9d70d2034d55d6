export * from './content.ts';
export * from './github.ts';
export * from './openapi.ts';
export * from './platform.ts';
export * from './queue.ts';
export * from './server.ts';
export * from './sync.ts';
export * from './translations.ts';
