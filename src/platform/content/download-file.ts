import { Readable } from 'node:stream';
import type { Operations } from '../../contract/index.ts';
import { BlobMissing, loadFile } from '../../store/index.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { HandlerInput } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { locateContent } from './locate-content.ts';
import { answerLostBytes, readReceived } from './lost-bytes.ts';
import { parseRange } from './parse-range.ts';

/** Types that a browser shows without executing anything; all others are sent as attachments. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|audio\/|video\/|font\/|text\/plain$|application\/pdf$)/;

/**
 * The bytes of a file, or the part that `Range` requests, streamed from the disk. They come from a repository, so the
 * headers forbid a browser to guess their type or to execute them.
 */
export async function downloadFile(
  deps: PlatformDeps,
  input: HandlerInput<Operations['downloadRevisionFile']>,
): Promise<Readable> {
  const { space, revision } = await locateContent(deps.db, input.caller, input.params);
  const file = await loadFile(deps.db, revision, input.params.fileId);
  if (!file) throw notFound('file with this id in this content');
  const etag = input.identify(file.gitOid);
  const disposition = inlineTypes.test(file.contentType) ? 'inline' : 'attachment';
  const wanted = { spaceId: space.id, oid: file.gitOid, of: 'file' } as const;
  try {
    const found = await readReceived(deps, wanted, () => deps.blobs.size(file.gitOid));
    if (found === null) throw notStored();
    const size = found.value;
    const { method, headers } = input.request;
    // A part is only useful to a client that has the rest of the same bytes (RFC 9110, section 13.1.5).
    const isSame = headers['if-range'] === undefined || headers['if-range'] === etag;
    const range = method === 'GET' && isSame ? parseRange(headers.range, size) : 'whole';
    input.setHeader('accept-ranges', 'bytes');
    if (range === 'none') {
      input.setHeader('content-range', `bytes */${size}`);
      throw new ApiError(
        'range-not-satisfiable',
        `The range begins after the end of the file, which has ${size} bytes.`,
      );
    }
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
    const bytes =
      method === 'HEAD' || size === 0 ? null : await deps.blobs.stream(file.gitOid, { start, end });
    if (range !== 'whole') {
      input.setStatus(206);
      input.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    }
    input.setHeader('content-length', String(end - start + 1));
    input.setHeader('content-type', file.contentType);
    input.setHeader('content-disposition', `${disposition}; filename*=UTF-8''${encodeName(file.name)}`);
    input.setHeader('content-security-policy', "default-src 'none'; sandbox");
    return bytes ?? Readable.from([]);
  } catch (error) {
    if (error instanceof BlobMissing) throw (await answerLostBytes(deps, wanted)) ?? notStored();
    throw error;
  }
}

function notStored(): ApiError {
  return new ApiError(
    'bytes-not-stored',
    'The bytes of this file are not stored: it is larger than 100 MB, or its repository did not send them.',
  );
}

/** RFC 8187, section 3.2.1. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}
