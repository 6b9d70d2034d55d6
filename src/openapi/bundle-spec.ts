import { isObject, writePointer } from './pointer.ts';
import type { ReadSpec } from './read-spec.ts';

/** The field of a bundled document that contains the other files. */
export const FILES_FIELD = 'x-files';

export type SpecDocument = Readonly<Record<string, unknown>>;

/**
 * Joins all files of a description into one document: the other files are added under `x-files`, and every reference
 * points there (`#/x-files/schemas~1user.yaml/User`). Modifies the values of the files; copy them first if needed.
 */
export function bundleSpec({ entry, files, references }: ReadSpec): SpecDocument {
  for (const { node, targetFile, target } of references) {
    const parts = targetFile === entry ? target : [FILES_FIELD, targetFile, ...target];
    node['$ref'] = `#${encodeFragment(writePointer(parts))}`;
  }
  const document = files.get(entry)?.value;
  if (!isObject(document)) throw new TypeError('The entry file of a description must be an object.');
  const otherFiles = [...files].filter(([file]) => file !== entry);
  if (otherFiles.length === 0) return document;
  return {
    ...document,
    [FILES_FIELD]: Object.fromEntries(otherFiles.map(([file, { value }]) => [file, value])),
  };
}

/** Encodes only what a URL fragment does not allow (RFC 3986), so that the rest stays readable. */
function encodeFragment(pointer: string): string {
  return encodeURI(pointer).replaceAll('#', '%23');
}
