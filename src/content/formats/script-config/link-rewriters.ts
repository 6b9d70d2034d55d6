import type { Node } from 'oxc-parser';
import { childrenOf, literalKey, parseScript } from './parse-script.ts';
import { importsOf, isRelative } from './script-files.ts';

/** Settings of Markdown processors, Astro's and Docusaurus', that list plugins for links and other nodes. */
const LISTS = /^(?:(?:remark|rehype|mdast|hast)Plugins|beforeDefaultR(?:emark|ehype)Plugins)$/;

/** Starlight's own setting, whose plugins may set the others. */
const STARLIGHT_LIST = 'plugins';

/** What code that changes the destinations of links mentions. */
const DESTINATIONS = /\burl\b|\bhref\b/;

/** Plugins of packages whose names speak of links, and which leave the destinations of relative links as they are. */
const LEAVES_LINKS =
  /^(?:rehype-autolink-headings|rehype-external-links|remark-validate-links|remark-lint-.*)$/;

/**
 * The plugin that may rewrite the links of pages, for messages: a module of the project's own that speaks of
 * destinations, or a package for links. `textsBehind` returns a module with those that it imports. Null when the
 * configuration's text lists none.
 */
export function linkRewriterOf(
  text: string,
  textOf: (specifier: string) => string,
  textsBehind: (specifier: string) => string,
): string | null {
  if (!/[pP]lugins\b/.test(text)) return null;
  const used = new Set<string>();
  const ofStarlight = new Set<string>();
  const script = parseScript(text);
  if (script !== null) {
    for (const list of pluginLists(script.program, isMarkdownList))
      for (const name of namesIn(list)) used.add(name);
    const isOfStarlight = (name: string) => name === STARLIGHT_LIST;
    for (const list of pluginLists(script.program, isOfStarlight))
      for (const name of namesIn(list)) ofStarlight.add(name);
  }
  for (const { specifier, names } of importsOf(text)) {
    if (isRelative(specifier) && names.some((name) => ofStarlight.has(name))) {
      const behind = textsBehind(specifier);
      if (setsMarkdownList(behind) && DESTINATIONS.test(behind)) return `the plugin “${specifier}”`;
    }
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

function isMarkdownList(name: string): boolean {
  return LISTS.test(name);
}

function setsMarkdownList(text: string): boolean {
  return /\b(?:remark|rehype|mdast|hast)Plugins\b/.test(text);
}

function* pluginLists(node: Node, isList: (name: string) => boolean): Iterable<Node> {
  if (node.type === 'Property' && isList(literalKey(node.key, node.computed) ?? '')) yield node.value;
  else for (const child of childrenOf(node)) yield* pluginLists(child, isList);
}

/** The identifiers and texts in an expression. */
function* namesIn(node: Node): Iterable<string> {
  if (node.type === 'Identifier') yield node.name;
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value;
  for (const child of childrenOf(node)) yield* namesIn(child);
}
