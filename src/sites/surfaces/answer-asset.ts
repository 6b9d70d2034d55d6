import { constants } from 'node:zlib';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { sendFinished } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { siteAssets } from '../views/site-assets.ts';

const finished = new Map<string, Promise<FinishedAnswer>>();

/** `~/assets/<name>`: what the pages of every site load. Its address changes with its content. */
export async function answerAsset(site: SiteRequest, [name, ...more]: readonly string[]): Promise<boolean> {
  if (name === undefined || more.length > 0) return false;
  const asset = Object.values(siteAssets()).find((known) => known.name === name);
  if (asset === undefined) return false;
  const { contentType, body } = asset;
  const answer =
    finished.get(name) ??
    finishAnswer(body.toString(), { contentType, quality: constants.BROTLI_MAX_QUALITY });
  finished.set(name, answer);
  return sendFinished(site, await answer, 'public, max-age=31536000, immutable');
}
