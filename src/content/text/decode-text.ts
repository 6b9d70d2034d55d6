/** The text of a file, and the problem of its bytes, for people; null when there is none. */
export interface DecodedText {
  readonly text: string;
  readonly problem: string | null;
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** Decodes UTF-8 without its byte order mark. Invalid bytes become U+FFFD and are reported as the problem. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { text: '', problem: 'The file is UTF-16. Save it as UTF-8, so that its links can be read.' };
  }
  try {
    return { text: strict.decode(bytes), problem: null };
  } catch {
    return {
      text: lenient.decode(bytes),
      problem: 'The file is not UTF-8. Save it as UTF-8: some of its text could not be read.',
    };
  }
}

/** The first line of a Git LFS pointer file (git-lfs, docs/spec.md, "The Pointer"). */
const BEGIN = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\n');

/** Pointers are smaller than this many bytes. */
const MAX_POINTER_BYTES = 1024;

/** Whether the bytes of a file are a pointer to its content in Git LFS. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= MAX_POINTER_BYTES || bytes.length <= BEGIN.length) return false;
  return BEGIN.every((byte, at) => bytes[at] === byte);
}
