import { hasText } from '../content/page-index.ts';
import { locationsOf } from '../locate-path.ts';
import { cachingOf, type SiteRequest } from '../site-request.ts';
import { pageCard } from '../social/page-card.ts';
import { canDraw } from '../social/social-card.ts';

/** In seconds. */
const RETRY_AFTER = 10;

/** `~/social/<site-space>/<page>/<digest>.png`: the picture of a page. The digest makes networks load it again. */
export async function answerSocialPicture(
  site: SiteRequest,
  [siteSpaceId, pageId, name = '', ...more]: readonly string[],
): Promise<boolean> {
  const { reply, structure, contents, served, pictures } = site;
  if (more.length > 0 || !/^[\w-]{12}\.png$/.test(name)) return false;
  const location = locationsOf(structure).find(({ siteSpace }) => siteSpace.row.id === siteSpaceId);
  const content = location && (await contents.load(location.siteSpace.row.space));
  const page = content?.pages.byId.get(pageId ?? '');
  if (!location || !content || page === undefined || !hasText(page.row)) return false;
  const card = pageCard(served, location, { content, page });
  if (!canDraw(card)) return false;
  const picture = await pictures.load(card);
  if (picture === null) {
    reply
      .code(503)
      .headers({ 'retry-after': String(RETRY_AFTER), 'cache-control': 'private, no-store' })
      .type('text/plain; charset=utf-8')
      .send(`Too many pictures are drawn at this moment. Ask again in ${RETRY_AFTER} seconds.\n`);
    return true;
  }
  // Other sites show it.
  reply.headers({ 'cache-control': cachingOf(site), 'cross-origin-resource-policy': 'cross-origin' });
  reply.type('image/png').send(picture);
  return true;
}
