/** The classes of the blocks whose look is in `blocks.css`, which only pages with one of them load. */
export const RARE_BLOCKS = [
  'api-switch',
  'diagram',
  'file',
  'file-tree',
  'math',
  'openapi',
  'read-more',
  'search-page',
  'stepper',
  'update',
  'video',
  'welcome',
] as const;

const RARE_BLOCK = new RegExp(`class="(?:[^"]* )?(?:${RARE_BLOCKS.join('|')})[" ]`);

/** Whether the HTML of a page has a block whose look is in `blocks.css`; some of those that only write of one count, too. */
export function hasRareBlock(html: string): boolean {
  return RARE_BLOCK.test(html);
}

/** Whether the HTML of a page has the source of a diagram, or text that looks like one. */
export function hasDiagram(html: string): boolean {
  return /<pre [^<>]*class="diagram"/.test(html);
}
