import { LRUCache } from 'lru-cache';
import { type FoundAtPath, findAtPath } from '../../platform/index.ts';
import type { Db } from '../../store/index.ts';
import type { SpaceContent } from './space-contents.ts';

/** Of paths, with what they lead to, in characters. */
const MAX_SIZE = 4 * 1024 * 1024;
const ENTRY_SIZE = 200;
/** Longer paths are asked by nobody twice. */
const MAX_PATH = 2_000;

/**
 * Where the paths of spaces lead that no page has: by redirects of their repositories, and by pages that moved. It is the
 * same for as long as a space shows the same revision, so that what is often asked for is read once, also that there is
 * nothing: the pages that a language lacks have no path of their own either.
 */
export class PathTargets {
  readonly #targets = new LRUCache<string, { readonly found: FoundAtPath | null }>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_PATH + ENTRY_SIZE,
    sizeCalculation: (_target, key) => key.length + ENTRY_SIZE,
  });

  async find(db: Db, content: SpaceContent, path: string): Promise<FoundAtPath | null> {
    const key = `${content.revision.id} ${path}`;
    const known = this.#targets.get(key);
    if (known !== undefined) return known.found;
    const found = await findAtPath(db, content, path);
    this.#targets.set(key, { found });
    return found;
  }
}
