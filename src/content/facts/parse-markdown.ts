import type { Root } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';

const features = { gfm: true, frontmatter: true };

/** Open braces beyond this cost the parser of MDX more than linear time, and no page has them. */
const MAX_OPEN_BRACES = 500;

/**
 * Parses GitHub Flavored Markdown with front matter; every node has its place. Hostile sources need `guardSource` first.
 * Text that is no valid MDX is read as Markdown.
 */
export function parseMarkdown(source: string, syntax: 'markdown' | 'mdx' = 'markdown'): Root {
  if (syntax === 'mdx' && !nestsBraces(source)) {
    try {
      return mdxToMdast(source, { features }) as Root;
    } catch {
      // The builder would refuse the page; its links are still worth a look.
    }
  }
  return markdownToMdast(source, { features }) as Root;
}

function nestsBraces(source: string): boolean {
  let open = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 123) open += 1;
    else if (code === 125 && open > 0) open -= 1;
    if (open > MAX_OPEN_BRACES) return true;
  }
  return false;
}
