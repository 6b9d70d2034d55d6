import { Buffer, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { access, constants, lstat, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A file that is about to be changed. */
export interface OpenText {
  readonly file: string;
  readonly bytes: Buffer;
  /** The text without a byte order mark, as its links were read. */
  readonly source: string;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Null when the file is not a regular file in UTF-8: its text could not be written back unchanged. */
export async function openText(file: string): Promise<OpenText | null> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    const bytes = await readFile(file);
    return isUtf8(bytes) ? { file, bytes, source: withoutMark(bytes).toString('utf8') } : null;
  } catch {
    return null;
  }
}

/**
 * Replaces the text of the file atomically, with the byte order mark and the permissions that it had. Returns why that was
 * not done: the file changed since it was opened, or it may not be written.
 */
export async function replaceText({ file, bytes }: OpenText, source: string): Promise<string | null> {
  const text = Buffer.from(source);
  const mark = bytes.subarray(0, bytes.length - withoutMark(bytes).length);
  const beside = path.join(path.dirname(file), `.docloom-${randomBytes(6).toString('hex')}`);
  try {
    const { mode } = await lstat(file);
    // Write access to the folder would suffice to replace it, but its owner made it read-only.
    if ((mode & 0o222) === 0) return 'the file is write-protected';
    await access(file, constants.W_OK);
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(Buffer.concat([mark, text]));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!bytes.equals(await readFile(file))) return 'the file was changed in the meantime';
    await rename(beside, file);
    return null;
  } catch (error) {
    return `the file cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Creates a file. Returns why that was not done. */
export async function createText(file: string, text: string): Promise<string | null> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return null;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code === 'EEXIST'
      ? 'a file that git ignores is in its place'
      : `the file cannot be created (${code})`;
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}
