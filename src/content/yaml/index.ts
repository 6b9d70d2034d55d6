/** YAML that users wrote, in linear time. */
export { parseYamlDocument, resolveAliases } from './parse-yaml-document.ts';
export { type FileValues, readYaml, valuesOf, type YamlLanguage } from './read-yaml.ts';
