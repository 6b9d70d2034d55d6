export { type ClientOptions, createClient, type InputOf, type PlatformClient } from './create-client.ts';
export { PlatformError } from './platform-error.ts';
