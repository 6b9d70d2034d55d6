import type { Root } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';

const features = { gfm: true, frontmatter: true };

/**
 * Parses GitHub Flavored Markdown with front matter; every node has its place. Hostile sources need `guardSource` first.
 * Text that is no valid MDX is read as Markdown.
 */
export function parseMarkdown(source: string, syntax: 'markdown' | 'mdx' = 'markdown'): Root {
  if (syntax === 'mdx') {
    try {
      return mdxToMdast(source, { features }) as Root;
    } catch {
      // The builder would refuse the page; its links are still worth a look.
    }
  }
  return markdownToMdast(source, { features }) as Root;
}
