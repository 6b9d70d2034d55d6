import { FILES_FIELD } from './bundle-spec.ts';
import type { Place } from './place.ts';
import { readPointer } from './pointer.ts';
import type { ReadSpec } from './read-spec.ts';

/** Where in its files stands what a pointer into the joined document (`bundleSpec`) leads to. */
export function placeInSpec({ entry, files }: ReadSpec, pointer: string): { readonly file: string } & Place {
  const parts = readPointer(pointer) ?? [];
  const isElsewhere = parts[0] === FILES_FIELD && parts[1] !== undefined && files.has(parts[1]);
  const file = isElsewhere ? (parts[1] as string) : entry;
  const place = files.get(file)?.placeOf(isElsewhere ? parts.slice(2) : parts) ?? { line: 1, column: 1 };
  return { file, ...place };
}
