import GithubSlugger, { slug } from 'github-slugger';

/** Names the anchors of one page's headings. Called in their order, so that repeated names can be numbered. */
export interface HeadingNamer {
  /**
   * Returns the anchors of a heading. `text` is without markup; `ids` are explicit ids inside the heading, which are
   * anchors in any case unless `ownsIds` is true.
   */
  name(text: string, level: number, ids: readonly string[]): HeadingNames;
  /**
   * Returns further names by which the link check knows a heading, with the text that `name` returned. Rendered pages have
   * those that no other anchor has.
   */
  aliases?(text: string): readonly string[];
  /** True when ids inside headings are anchors only if `name` returns them. */
  readonly ownsIds?: boolean;
  /** True when the builder names only Markdown headings: HTML headings (`<h2>`) have only their own ids. */
  readonly leavesHtml?: boolean;
}

export interface HeadingNames {
  readonly names: readonly string[];
  /** The heading's text without what only names it (`{#id}`); unchanged when absent. */
  readonly text?: string;
}

/**
 * Names headings as GitHub does: lower case without punctuation, spaces as dashes, repeats numbered with `-1`, `-2`.
 */
export function githubHeadings(): HeadingNamer {
  const slugger = new GithubSlugger();
  return { name: (text) => ({ names: headingNames(slugger, text) }) };
}

/**
 * Returns the anchors of a heading with this text, GitHub's own first; `slugger` counts the repeats of its page. Line
 * breaks and spaces around the text (in HTML headings, beside an image or an empty `a`) count as text for GitHub, and
 * other renderers drop them: both names are accepted, so that no link is reported that works somewhere.
 */
export function headingNames(slugger: GithubSlugger, text: string): readonly string[] {
  const name = slugger.slug(text);
  const plain = slug(text.replace(/\s+/g, ' ').trim());
  const names = slug(text) === plain ? [name] : [name, plain];
  return names.filter((candidate) => candidate !== '');
}
