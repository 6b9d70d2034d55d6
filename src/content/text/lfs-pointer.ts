/** The first line of a Git LFS pointer file (git-lfs, docs/spec.md, "The Pointer"). */
const BEGIN = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\n');

/** Pointers are smaller than this many bytes. */
const MAX_POINTER_BYTES = 1024;

export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length >= MAX_POINTER_BYTES || bytes.length <= BEGIN.length) return false;
  return BEGIN.every((byte, at) => bytes[at] === byte);
}
