import { FILES_FIELD } from './bundle-spec.ts';
import type { Place } from './place.ts';
import { readPointer } from './pointer.ts';
import type { ReadSpec } from './read-spec.ts';

export type FilePlace = { readonly file: string } & Place;

/** Where in its files stands what pointers into the joined document (`bundleSpec`) lead to, each file passed through once. */
export function placesInSpec({ entry, files }: ReadSpec, pointers: readonly string[]): readonly FilePlace[] {
  const targets = pointers.map((pointer) => {
    const parts = readPointer(pointer) ?? [];
    const [field, other] = parts;
    const isElsewhere = field === FILES_FIELD && other !== undefined && files.has(other);
    return isElsewhere ? { file: other, parts: parts.slice(2) } : { file: entry, parts };
  });
  const found = new Map<(typeof targets)[number], Place>();
  for (const [file, inFile] of Map.groupBy(targets, (one) => one.file)) {
    const places = files.get(file)?.placesOf(inFile.map((one) => one.parts)) ?? [];
    for (const [at, target] of inFile.entries()) found.set(target, places[at] ?? { line: 1, column: 1 });
  }
  return targets.map((target) => ({ file: target.file, line: 1, column: 1, ...found.get(target) }));
}
