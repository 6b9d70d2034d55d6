import type { Root } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { isCostlyMdx } from './guard-mdx.ts';

export const features = { gfm: true, frontmatter: true };

/** Syntax beyond GitHub's, for rendering pages; none of it adds or removes links. */
export interface ParseOptions {
  readonly math?: { readonly singleDollarTextMath: boolean };
  readonly definitionList?: boolean;
}

/**
 * Parses GitHub Flavored Markdown with front matter; every node has a position. Hostile sources need `guardSource` first.
 * Text that is not valid MDX is read as Markdown.
 */
export function parseMarkdown(
  source: string,
  syntax: 'markdown' | 'mdx' = 'markdown',
  options: ParseOptions = {},
): Root {
  const all = { features: { ...features, ...options } };
  if (syntax === 'mdx' && !isCostlyMdx(source)) {
    try {
      return mdxToMdast(source, all) as Root;
    } catch {
      // The builder would reject the page; its links are still checked.
    }
  }
  return markdownToMdast(source, all) as Root;
}
