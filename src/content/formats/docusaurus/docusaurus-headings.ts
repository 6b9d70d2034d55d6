import GithubSlugger from 'github-slugger';
import type { HeadingNamer } from '../../text/index.ts';

/** Brackets that stand for the braces of `{#id}`, which are no MDX. */
export const OPEN = '⟦';
export const CLOSE = '⟧';

/**
 * Docusaurus's heading ids: an explicit `{#id}` at the end, else the text as GitHub names it, repeats counted
 * (https://docusaurus.io/docs/markdown-features/toc#heading-ids). An explicit id takes no number away from others.
 * `keepsCase` is the configuration's `markdown.anchors.maintainCase`.
 */
export function docusaurusHeadings(keepsCase = false): HeadingNamer {
  const slugger = new GithubSlugger();
  return {
    leavesHtml: true,
    name(text) {
      const end = text.trimEnd();
      const start = end.lastIndexOf(`${OPEN}#`);
      if (start !== -1 && end.endsWith(CLOSE)) {
        return { names: [end.slice(start + 2, -1)], text: end.slice(0, start).trimEnd() };
      }
      const name = slugger.slug(text.trim(), keepsCase);
      return { names: name === '' ? [] : [name] };
    },
  };
}
