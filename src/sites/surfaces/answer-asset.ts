import { constants } from 'node:zlib';
import { type FinishedAnswer, finishAnswer } from '../finished-answer.ts';
import { sendAnswer } from '../send-finished.ts';
import type { SiteRequest } from '../site-request.ts';
import { findSiteAsset } from '../views/site-assets.ts';

const finished = new Map<string, Promise<FinishedAnswer>>();

/** In bytes: the last steps of Brotli take seconds for a file of some megabytes. */
const LARGE = 256 * 1024;
const LARGE_QUALITY = 9;

const FOLDER = '~/assets/';

/**
 * `~/assets/<name>`: what the pages of every site load, and those that are shown instead of one. It is part of no site, so
 * everybody may have it, also where there is none. Its address changes with its content.
 */
export async function answerAsset(
  to: Pick<SiteRequest, 'request' | 'reply'>,
  path: string,
): Promise<boolean> {
  if (!path.startsWith(FOLDER)) return false;
  const name = path.slice(FOLDER.length);
  const asset = findSiteAsset(name);
  if (asset === undefined) return false;
  const { contentType, body, headers } = asset;
  const answer =
    finished.get(name) ??
    finishAnswer(body.toString(), {
      contentType,
      headers,
      quality: body.length > LARGE ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY,
    });
  finished.set(name, answer);
  sendAnswer(to, { answer: await answer, caching: 'public, max-age=31536000, immutable', headers: {} });
  return true;
}
