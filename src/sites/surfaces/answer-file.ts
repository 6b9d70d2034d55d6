import { fileHeaders, fileSecurityPolicy } from '../../markup/index.ts';
import { openSpaceFile } from '../../platform/index.ts';
import { locationsOf } from '../locate-path.ts';
import { cachingOf, type SiteRequest } from '../site-request.ts';

/** `~/files/<site-space>/<file>`: a picture or a download of one of the site's spaces. */
export async function answerFile(
  site: SiteRequest,
  [siteSpaceId, fileId, ...more]: readonly string[],
): Promise<boolean> {
  if (fileId === undefined || more.length > 0) return false;
  const { request, reply, structure, contents, platform } = site;
  const found = locationsOf(structure).find(({ siteSpace }) => siteSpace.row.id === siteSpaceId);
  const content = found && (await contents.load(found.siteSpace.row.space));
  const file = content && (await openSpaceFile(platform, content, fileId));
  if (!file) return false;
  const etag = `"${file.etag}"`;
  reply.headers({
    etag,
    'cache-control': cachingOf(site),
    'content-security-policy': fileSecurityPolicy,
  });
  if (request.headers['if-none-match'] === etag) {
    reply.code(304).send();
    return true;
  }
  reply.headers({ ...fileHeaders(file), 'content-length': String(file.size) }).send(await file.open());
  return true;
}
