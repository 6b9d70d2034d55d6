/** The configuration file of a repository, `.github/docloom.yml`. Separate from the engine, because it loads a schema library. */

export { knownLanguages, type Language, languageOf } from '../content/text/index.ts';
export {
  type Config,
  type ConversationsConfig,
  MAX_CONFIG_BYTES,
  MAX_SPACES,
  type OpenApiConfig,
  type SiteConfig,
  type SpaceConfig,
  type TranslationConfig,
} from './config-schema.ts';
export { declaredSpaces, spacesOn } from './declared-spaces.ts';
export { configJsonSchema, describeKeys, type JsonSchema, type KeyDescription } from './describe-config.ts';
export { findMisnamedConfig } from './misnamed-config.ts';
export { type ConfigProblem, defaultConfig, type ParsedConfig, parseConfig } from './parse-config.ts';
