import type { Operations } from '../../contract/index.ts';
import { BlobMissing } from '../../store/blobs.ts';
import { loadFile } from '../../store/files.ts';
import { ApiError, notFound } from '../api/api-error.ts';
import type { HandlerInput } from '../api/handlers.ts';
import type { PlatformDeps } from '../deps.ts';
import { locateContent } from './locate-content.ts';

/** Types that a browser shows without running anything of them; all others are sent as attachments. */
const shown =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|audio\/|video\/|font\/|text\/plain$|application\/pdf$)/;

/** The bytes of a file. They come from a repository, so a browser is told to guess nothing and to run nothing. */
export async function downloadFile(
  deps: PlatformDeps,
  input: HandlerInput<Operations['downloadRevisionFile']>,
): Promise<Uint8Array> {
  const { revision } = await locateContent(deps.db, input.caller, input.params);
  const file = await loadFile(deps.db, revision, input.params.fileId);
  if (!file) throw notFound('file with this id in this content');
  input.identify(file.gitOid);
  const disposition = shown.test(file.contentType) ? 'inline' : 'attachment';
  input.setHeader('content-type', file.contentType);
  input.setHeader('content-disposition', `${disposition}; filename*=UTF-8''${encodeName(file.name)}`);
  input.setHeader('x-content-type-options', 'nosniff');
  input.setHeader('content-security-policy', "default-src 'none'; sandbox");
  try {
    return await deps.blobs.read(file.gitOid);
  } catch (error) {
    if (error instanceof BlobMissing)
      throw new ApiError(404, 'The bytes of this file are not kept: it is larger than 100 MB.');
    throw error;
  }
}

/** RFC 8187, section 3.2.1. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}
