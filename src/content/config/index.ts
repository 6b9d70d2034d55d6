/** The configuration file of a repository, `.github/docloom.yml`. Apart from the engine, since it loads a schema library. */

export { Config, MAX_CONFIG_BYTES, MAX_SPACES } from './config-schema.ts';
export { type ConfigProblem, type ParsedConfig, parseConfig } from './parse-config.ts';
