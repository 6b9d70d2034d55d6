import GithubSlugger from 'github-slugger';
import type { HeadingNamer } from '../../text/index.ts';

/** Brackets that replace the braces of `{#id}`, which are not valid MDX. */
export const OPEN = '⟦';
export const CLOSE = '⟧';

/**
 * Names headings as Docusaurus does: an explicit `{#id}` at the end, or else the text as GitHub names it, repeats numbered
 * (https://docusaurus.io/docs/markdown-features/toc#heading-ids). An explicit id does not count as a repeat.
 * `preservesCase` is the configuration's `markdown.anchors.maintainCase`.
 */
export function docusaurusHeadings(preservesCase = false): HeadingNamer {
  const slugger = new GithubSlugger();
  return {
    leavesHtml: true,
    name(text) {
      const end = text.trimEnd();
      const start = end.lastIndexOf(`${OPEN}#`);
      if (start !== -1 && end.endsWith(CLOSE)) {
        return { names: [end.slice(start + 2, -1)], text: end.slice(0, start).trimEnd() };
      }
      const name = slugger.slug(text.trim(), preservesCase);
      // The space behind a component that begins the heading becomes a dash of the id.
      const names = /^\s+\S/.test(text) ? [`-${name}`, name] : [name];
      return { names: name === '' ? [] : names };
    },
  };
}
