import { type Markup, sanitised } from '../../markup/index.ts';
import { contentThreads, PageLimitError, PageNotRead } from '../../threads/index.ts';
import { ID_PREFIX } from '../layout.ts';

/**
 * What people wrote in a comment or a description; null where it takes too long or too much memory. It links to whole
 * addresses only: it stands on no page, so nothing is relative to it.
 *
 * @param idPrefix of its anchors, which no other text on the same page has.
 */
export async function renderWritten(markdown: string, idPrefix: string): Promise<Markup | null> {
  try {
    const { title, body } = await contentThreads.render({
      markdown,
      dialect: '',
      reservedIds: ID_PREFIX,
      idPrefix,
      addresses: new Map(),
      operations: new Map(),
      privateSpecs: new Set(),
    });
    return sanitised(`${title ?? ''}${body}`);
  } catch (error) {
    if (error instanceof PageLimitError || error instanceof PageNotRead) return null;
    throw error;
  }
}
