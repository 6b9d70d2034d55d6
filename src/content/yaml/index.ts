/** YAML that users wrote, in linear time. */
export { parseYamlDocument, resolveAliases } from './parse-yaml-document.ts';
