import { isObject, writePointer } from './pointer.ts';
import type { ReadSpec } from './read-spec.ts';

/** Where the other files stand in a description that is one document. */
export const FILES_FIELD = 'x-files';

export type SpecDocument = Readonly<Record<string, unknown>>;

/**
 * One document out of all files of a description: the others stand in it under `x-files`, and every reference leads
 * there (`#/x-files/schemas~1user.yaml/User`). Changes the values of the files, so keep them first where they are needed.
 */
export function bundleSpec({ entry, files, references }: ReadSpec): SpecDocument {
  for (const { holder, targetFile, target } of references) {
    const parts = targetFile === entry ? target : [FILES_FIELD, targetFile, ...target];
    holder['$ref'] = `#${encodeFragment(writePointer(parts))}`;
  }
  const document = files.get(entry)?.value;
  if (!isObject(document)) throw new TypeError('A description that was read is an object.');
  const others = [...files].filter(([file]) => file !== entry);
  if (others.length === 0) return document;
  return { ...document, [FILES_FIELD]: Object.fromEntries(others.map(([file, { value }]) => [file, value])) };
}

/** What may not stand in the fragment of an address (RFC 3986) is encoded; the rest stays readable. */
function encodeFragment(pointer: string): string {
  return encodeURI(pointer).replaceAll('#', '%23');
}
