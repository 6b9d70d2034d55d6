import type { PlatformDeps } from '../deps.ts';
import { createStoredReader } from '../revisions/read-stored.ts';

/** In bytes: larger files are not compared or merged. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file, or why it is not shown. */
export type ShownText = { readonly text: string } | { readonly problem: string };

/** Reads the texts of blobs that a space received, by oid, byte order marks included. */
export async function readChangedTexts(
  deps: PlatformDeps,
  spaceId: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, ShownText>> {
  const shown = new Map<string, ShownText>(
    oids.map((oid) => [oid, { problem: 'The bytes of this file are not stored here.' }]),
  );
  for await (const { oid, bytes } of createStoredReader(deps, spaceId)([...new Set(oids)])) {
    shown.set(oid, toText(bytes));
  }
  return shown;
}

function toText(bytes: Uint8Array): ShownText {
  if (bytes.length > MAX_BYTES) return { problem: 'The file is larger than 1 MB.' };
  if (bytes.includes(0)) return { problem: 'The file is not a text.' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: 'The file is not a text in UTF-8.' };
  }
}
