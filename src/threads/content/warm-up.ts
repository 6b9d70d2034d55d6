import { loadDialect } from '../../content/index.ts';
import { formatNames } from '../../content/model/index.ts';
import type { ContentThreads } from './content-threads.ts';

/** Has what is loaded only where a page needs it: code in a known language, and a formula. */
const PAGE = '# A\n\n- [b](b.md)\n\n| c |\n| - |\n| `d` |\n\n```js\nlet e = 1;\n```\n\n$f$\n';

const shown = {
  markdown: PAGE,
  dialect: 'github',
  reservedIds: 'page-',
  isForSite: true,
  addresses: new Map(),
  operations: new Map(),
  privateSpecs: new Set<string>(),
};

/**
 * Loads and compiles what the calling thread does itself for short pages: at the first page of a reader, it would keep the
 * answers of all others waiting for a fifth of a second.
 */
export async function warmUp(threads: ContentThreads): Promise<void> {
  for (const format of formatNames) await loadDialect(format);
  await threads.render(shown);
  await threads.write({ markdown: PAGE, dialect: 'github', references: new Map() });
  await threads.compose({ path: 'a.md', text: PAGE, dialect: 'github', parts: [] }, new Map(), {
    isImport: false,
  });
  await threads.comparePages(shown, { ...shown, markdown: `${PAGE}\ng\n` });
  await threads.compareTexts('a\n', 'b\n');
  await threads.mergeTexts('a\n', 'b\n', 'a\n');
  await threads.readSections(PAGE, []);
  await threads.findSegments(PAGE, 'a.md');
}
