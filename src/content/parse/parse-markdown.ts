import type { Root } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';

export const features = { gfm: true, frontmatter: true };

/** Syntax beyond GitHub's, for rendering pages; none of it adds or removes links. */
export interface ParseOptions {
  readonly math?: { readonly singleDollarTextMath: boolean };
  readonly definitionList?: boolean;
}

/** Open braces beyond this cost the parser of MDX more than linear time, and no page has them. */
const MAX_OPEN_BRACES = 500;

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
  if (syntax === 'mdx' && !nestsBraces(source)) {
    try {
      return mdxToMdast(source, all) as Root;
    } catch {
      // The builder would reject the page; its links are still checked.
    }
  }
  return markdownToMdast(source, all) as Root;
}

/** Whether the parser of MDX would take more than linear time. */
export function nestsBraces(source: string): boolean {
  let open = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 123) open += 1;
    else if (code === 125 && open > 0) open -= 1;
    if (open > MAX_OPEN_BRACES) return true;
  }
  return false;
}
