import { isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { type ConfigLink, createConfigReading } from '../../facts/index.ts';
import { parseYamlDocument } from '../../yaml/index.ts';
import { scalarSpan } from '../scalar-span.ts';

/** Entries beyond this number are ignored. */
const MAX_ENTRIES = 20_000;

/** Reads the links of a configuration: the entries of `nav`, and the destinations of the plugin `redirects`. */
export const mkdocsConfigReading = createConfigReading('mkdocs-config', findConfigLinks);

function findConfigLinks(text: string): readonly ConfigLink[] {
  const document = parseYamlDocument(text, { merge: true });
  if (document.errors.length > 0 || !isMap(document.contents)) return [];
  return [
    ...textsIn(text, asNode(document.contents.get('nav', true)), 'nav'),
    ...redirectsIn(asNode(document.contents.get('plugins', true))).flatMap((candidate) =>
      textsIn(text, candidate, 'redirect'),
    ),
  ];
}

/** The values of `redirect_maps`, of plugins in a list or in a mapping. */
function redirectsIn(plugins: Node | null): readonly Node[] {
  const entries = isSeq(plugins) ? plugins.items : [plugins];
  return entries.flatMap((entry) => {
    const options = isMap(entry) ? entry.get('redirects', true) : null;
    const maps = isMap(options) ? options.get('redirect_maps', true) : null;
    return isMap(maps) ? [maps] : [];
  });
}

/** The texts in lists and values of mappings, at any depth. */
function textsIn(text: string, node: Node | null, carrier: string): readonly ConfigLink[] {
  const links: ConfigLink[] = [];
  if (node === null) return links;
  visit(node, {
    Collection: (_key, { tag }) => (tag?.startsWith('!') === true ? visit.SKIP : undefined),
    Scalar(key, scalar, path) {
      if (links.length >= MAX_ENTRIES) return visit.BREAK;
      if (key === 'key' || typeof scalar.value !== 'string' || scalar.tag?.startsWith('!') === true) return;
      const span = scalarSpan(text, scalar);
      const pair = path.at(-1);
      const label = pair !== undefined && 'key' in pair && isScalar(pair.key) ? String(pair.key.value) : '';
      if (span !== null && scalar.value.trim() !== '') {
        links.push({ carrier, target: scalar.value.trim(), text: carrier === 'nav' ? label : '', ...span });
      }
    },
  });
  return links;
}

function asNode(value: unknown): Node | null {
  return isMap(value) || isSeq(value) || isScalar(value) ? value : null;
}
