export * from './github.ts';
export * from './platform.ts';
