/** Two comments with nothing between them. */
const PAIR = /<!--([^>\n]{1,200})-->\s*(?=<!--([^>\n]{1,200})-->)/g;

const OPENS = /(?:^|[^a-z])(?:begin|start)(?:[^a-z]|$)/i;
const CLOSES = /(?:^|[^a-z])(?:end|stop)(?:[^a-z]|$)/i;

/** What a program makes, which may have headings. */
const MADE = /docs|auto|generat|inject|includ|embed|usage|commands|api/i;

/** What has no headings of its own, or is for people to fill: tables of contents, lists of people, `CUSTOM CONTENT`. */
const NOT_MADE = /toc|contents|contributors|badge|ignore|lint|prettier|custom/i;

/**
 * Whether a script fills a part of the page when it is published: between comments such as `<!-- BEGIN_TF_DOCS -->` and
 * `<!-- END_TF_DOCS -->` stands nothing, where headings may be later.
 */
export function hasEmptyBlock(source: string): boolean {
  if (!source.includes('<!--')) return false;
  for (const [, first = '', second = ''] of source.matchAll(PAIR)) {
    if (OPENS.test(first) && CLOSES.test(second) && MADE.test(first) && !NOT_MADE.test(first)) return true;
  }
  return false;
}
