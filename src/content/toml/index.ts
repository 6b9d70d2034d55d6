/** TOML that users wrote. */
export { readToml } from './read-toml.ts';
