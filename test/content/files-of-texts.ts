import type { FilesOfTree } from '../../src/content/format-port/index.ts';
import { readToml } from '../../src/content/toml/index.ts';
import { readYaml } from '../../src/content/yaml/index.ts';

/** Files whose texts are known, and whose values are read by the calling thread. */
export function filesOfTexts(text: FilesOfTree['text']): FilesOfTree {
  return {
    text,
    values(entry, language) {
      const found = text(entry);
      if (typeof found !== 'string') return found;
      return language === 'toml' ? readToml(found) : readYaml(found, language);
    },
  };
}
