import { type default as GithubSlugger, slug } from 'github-slugger';

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
