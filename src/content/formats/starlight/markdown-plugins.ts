import type { Node } from 'oxc-parser';
import { childrenOf, literalKey, parseScript } from '../script-config/parse-script.ts';
import { importsOf, isRelative } from '../script-config/script-files.ts';

/** Settings of Astro's Markdown processors that list plugins for links and other nodes. */
const LISTS = /^(?:remark|rehype|mdast|hast)Plugins$/;

/** What code that changes the destinations of links mentions. */
const DESTINATIONS = /\burl\b|\bhref\b/;

/** Plugins of packages whose names speak of links, and which leave the destinations of relative links as they are. */
const LEAVES_LINKS =
  /^(?:rehype-autolink-headings|rehype-external-links|remark-validate-links|remark-lint-.*)$/;

/**
 * The plugin that may rewrite the links of pages, for messages: a module of the project's own that speaks of
 * destinations, or a package for links. Null when the configuration's text lists none.
 */
export function linkRewriterOf(text: string, textOf: (specifier: string) => string): string | null {
  if (!/Plugins\b/.test(text)) return null;
  const used = new Set<string>();
  const script = parseScript(text);
  if (script !== null)
    for (const list of pluginLists(script.program)) for (const name of namesIn(list)) used.add(name);
  for (const { specifier, names } of importsOf(text)) {
    if (!names.some((name) => used.has(name)) && !used.has(specifier)) continue;
    if (isRelative(specifier) ? DESTINATIONS.test(textOf(specifier)) : isForLinks(specifier))
      return `the plugin “${specifier}”`;
  }
  const named = [...used].find((name) => /^(?:astro-)?(?:remark|rehype)-/.test(name) && isForLinks(name));
  return named === undefined ? null : `the plugin “${named}”`;
}

function isForLinks(specifier: string): boolean {
  return /links?\b|relative/.test(specifier) && !LEAVES_LINKS.test(specifier);
}

function* pluginLists(node: Node): Iterable<Node> {
  if (node.type === 'Property' && LISTS.test(literalKey(node.key, node.computed) ?? '')) yield node.value;
  else for (const child of childrenOf(node)) yield* pluginLists(child);
}

/** The identifiers and texts in an expression. */
function* namesIn(node: Node): Iterable<string> {
  if (node.type === 'Identifier') yield node.name;
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value;
  for (const child of childrenOf(node)) yield* namesIn(child);
}
