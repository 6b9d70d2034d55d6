import GithubSlugger, { slug } from 'github-slugger';

/** Names the anchors of one page's headings, in their order, so that it may count repeats. */
export interface HeadingNamer {
  /**
   * The anchors of a heading. `text` is without markup; `ids` are explicit ids inside the heading, which are anchors
   * anyway unless `ownsIds`.
   */
  name(text: string, level: number, ids: readonly string[]): HeadingNames;
  /** True when ids inside headings are anchors only as far as `name` answers them. */
  readonly ownsIds?: boolean;
  /** True when the builder names headings of Markdown alone: those of HTML (`<h2>`) have the ids that they give themselves. */
  readonly leavesHtml?: boolean;
}

export interface HeadingNames {
  readonly names: readonly string[];
  /** The heading's text without what only names it (`{#id}`); as given when absent. */
  readonly text?: string;
}

/**
 * GitHub's names: a heading's text in lower case without punctuation, spaces as dashes, repeats counted with `-1`, `-2`.
 */
export function githubHeadings(): HeadingNamer {
  const slugger = new GithubSlugger();
  return { name: (text) => ({ names: headingNames(slugger, text) }) };
}

/**
 * The anchors of a heading with this text, GitHub's own first; `slugger` counts the repeats of its page. Line breaks
 * and spaces around the text (in HTML headings, beside a picture or an empty `a`) count as text for GitHub, and other
 * renderers leave them out: both names lead to it, so that no link is called broken that works somewhere.
 */
export function headingNames(slugger: GithubSlugger, text: string): readonly string[] {
  const name = slugger.slug(text);
  const plain = slug(text.replace(/\s+/g, ' ').trim());
  const names = slug(text) === plain ? [name] : [name, plain];
  return names.filter((one) => one !== '');
}
