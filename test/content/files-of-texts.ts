import type { FilesOfTree } from '../../src/content/format-port/index.ts';
import { readYaml } from '../../src/content/yaml/index.ts';

/** Files whose texts are known, and whose YAML is read by the calling thread. */
export function filesOfTexts(text: FilesOfTree['text']): FilesOfTree {
  return {
    text,
    yaml(entry, language) {
      const found = text(entry);
      return typeof found === 'string' ? readYaml(found, language) : found;
    },
  };
}
