import { FILES_FIELD } from './bundle-spec.ts';
import { readPointer } from './pointer.ts';
import type { TextPosition } from './position.ts';
import type { ReadSpec } from './read-spec.ts';

export type FilePosition = { readonly file: string } & TextPosition;

/** The positions in the original files of what pointers into the bundled document (`bundleSpec`) lead to. Reads each file once. */
export function locateInSpec(
  { entry, files }: ReadSpec,
  pointers: readonly string[],
): readonly FilePosition[] {
  const targets = pointers.map((pointer) => {
    const parts = readPointer(pointer) ?? [];
    const [field, bundledFile] = parts;
    const isElsewhere = field === FILES_FIELD && bundledFile !== undefined && files.has(bundledFile);
    return isElsewhere ? { file: bundledFile, parts: parts.slice(2) } : { file: entry, parts };
  });
  const found = new Map<(typeof targets)[number], TextPosition>();
  for (const [file, inFile] of Map.groupBy(targets, (target) => target.file)) {
    const positions = files.get(file)?.positionsOf(inFile.map(({ parts }) => parts)) ?? [];
    for (const [at, target] of inFile.entries()) found.set(target, positions[at] ?? { line: 1, column: 1 });
  }
  return targets.map((target) => ({ file: target.file, line: 1, column: 1, ...found.get(target) }));
}
