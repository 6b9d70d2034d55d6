import type { PageView } from '../../client/index.ts';
import type { AnchorBlock } from '../../content/anchors/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import type { BlockChoice } from './comments-view.ts';

/** Blocks that the form offers; on a longer page, others are commented on by the API. */
const MAX_CHOICES = 300;

/** Longer pages are commented on as a whole: their blocks would have to be read for every reader. */
const MAX_LENGTH = 200_000;

/** Blocks that consist of others, which are offered themselves. */
const CONTAINERS = new Set([
  'list-ordered',
  'list-unordered',
  'list-tasks',
  'tabs',
  'columns',
  'column',
  'stepper',
]);

const NAMES: Readonly<Record<string, string>> = {
  code: 'Code',
  table: 'Table',
  image: 'Picture',
  images: 'Picture',
  blockquote: 'Quote',
  hint: 'Hint',
  'list-item': 'Item',
};

/** The blocks of a page that a comment can be about, as the form offers them. */
export async function listBlocks({ page }: Pick<PageView, 'page'>): Promise<readonly BlockChoice[]> {
  const { markdown = '', dialect = '', type } = page;
  if (type !== 'document' || markdown.length > MAX_LENGTH) return [];
  try {
    const { blocks } = await contentThreads.readBlocks({ markdown, dialect, references: new Map() });
    const seen = new Set<string>();
    return blocks
      .filter(({ type: kind, text }) => {
        // An item and its paragraph say the same; the outer one is offered.
        if (CONTAINERS.has(kind) || text === '' || seen.has(text)) return false;
        seen.add(text);
        return true;
      })
      .slice(0, MAX_CHOICES)
      .map((block) => ({ key: block.key, label: labelOf(block) }));
  } catch (error) {
    if (error instanceof PageLimitError || error instanceof PageNotRead) return [];
    throw error;
  }
}

function labelOf({ type, text }: AnchorBlock): string {
  const short = text.length > 70 ? `${text.slice(0, 69).replace(/[\ud800-\udbff]$/, '')}…` : text;
  if (type.startsWith('heading-')) return `# ${short}`;
  const name = NAMES[type];
  return name === undefined ? short : `${name}: ${short}`;
}
