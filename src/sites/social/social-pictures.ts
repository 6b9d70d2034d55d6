import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { cardDigest, cardSvg, type SocialCard } from './social-card.ts';

/** Of drawn pictures, in bytes; each has about 30 KB. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Pictures that wait to be drawn; robots that read a site ask again. */
const MAX_WAITING = 100;

const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'];

/** Draws the pictures of pages, one after the other and outside of the event loop, and keeps those that are asked for. */
export class SocialPictures {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #drawn: LRUCache<string, Buffer, SocialCard>;

  constructor() {
    this.#drawn = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: (picture) => picture.length + 100,
      fetchMethod: async (_digest, _stale, { context }) => await this.#queue.add(() => draw(context)),
      ignoreFetchAbort: true,
    });
  }

  /** As PNG; null while too many others are to be drawn first. */
  async load(card: SocialCard): Promise<Buffer | null> {
    const digest = cardDigest(card);
    const known = this.#drawn.get(digest);
    if (known !== undefined) return known;
    if (this.#queue.size >= MAX_WAITING) return null;
    return await this.#drawn.forceFetch(digest, { context: card });
  }
}

async function draw(card: SocialCard): Promise<Buffer> {
  // Loaded with the first picture, because most processes draw none.
  const { renderAsync } = await import('@resvg/resvg-js');
  const picture = await renderAsync(cardSvg(card), {
    font: {
      fontFiles: FONTS.map((name) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))),
      loadSystemFonts: false,
      defaultFontFamily: 'DejaVu Sans',
    },
  });
  return Buffer.from(picture.asPng());
}
