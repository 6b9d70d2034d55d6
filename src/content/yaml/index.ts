/** YAML that users wrote, in linear time. */
export { parseYamlDocument, resolveAliases } from './parse-yaml-document.ts';
export { readYaml, valuesOf, type YamlLanguage, type YamlValues } from './read-yaml.ts';
