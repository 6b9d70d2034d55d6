import type { Root } from 'mdast';
import { markdownToMdast } from 'satteri';

/** Parses GitHub Flavored Markdown with front matter; every node has its place. Hostile sources need `guardSource` first. */
export function parseMarkdown(source: string): Root {
  return markdownToMdast(source, { features: { gfm: true, frontmatter: true } }) as Root;
}
