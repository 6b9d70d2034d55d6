import type { Root } from 'mdast';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { nestsTooDeep } from './guard-mdx.ts';

export const features = { gfm: true, frontmatter: true };

/** Syntax beyond GitHub's, for rendering pages; none of it adds or removes links. */
export interface ParseOptions {
  readonly math?: { readonly singleDollarTextMath: boolean };
  readonly definitionList?: boolean;
}

/**
 * What the parser of MDX is trusted with. It takes quadratic time for open braces, for expressions and for elements, most
 * of all for those that stay open: with these numbers half a second. Of 1,400 large pages of public repositories the most
 * had 640 elements, 350 expressions, and open elements that add up to 100,000.
 */
const MAX_OPEN_BRACES = 500;
const MAX_EXPRESSIONS = 10_000;
const MAX_ELEMENTS = 10_000;
/** Elements that are open at each tag, added up over all tags. */
const MAX_OPEN_ELEMENTS = 20_000_000;

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

/** Whether the parser of MDX would take unreasonable time, or crash. Code counts, too. Takes linear time. */
export function isCostlyMdx(source: string): boolean {
  let braces = 0;
  let expressions = 0;
  let elements = 0;
  let open = 0;
  let sum = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 123) {
      braces += 1;
      expressions += 1;
    } else if (code === 125 && braces > 0) {
      braces -= 1;
    } else if (code === 60) {
      if (source.charCodeAt(at + 1) !== 47) {
        elements += 1;
        open += 1;
      } else if (open > 0) open -= 1;
      sum += open;
    } else if (code === 47 && source.charCodeAt(at + 1) === 62 && open > 0) {
      // `/>`: the element closes itself. Text with these characters can hide no more than `MAX_ELEMENTS`.
      open -= 1;
    }
    if (
      braces > MAX_OPEN_BRACES ||
      expressions > MAX_EXPRESSIONS ||
      elements > MAX_ELEMENTS ||
      sum > MAX_OPEN_ELEMENTS
    ) {
      return true;
    }
  }
  return nestsTooDeep(source);
}
