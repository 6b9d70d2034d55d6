import type { CommitFiles } from '../../github/index.ts';
import { type FileContent, MAX_SPEC_BYTES } from '../../openapi/index.ts';

/** The files of one specification, read on request. */
export interface SpecFiles {
  read(file: string): Promise<FileContent>;
  /** The texts that were read, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The oids of all requested files; null for missing ones. */
  readonly oids: ReadonlyMap<string, string | null>;
  /** The file that exceeded the limit; null for none. */
  readonly excess: string | null;
}

/** Why a file is not read beyond `MAX_SPEC_BYTES`. */
export const TOO_MUCH = `the files of a specification may have ${MAX_SPEC_BYTES / 1024 / 1024} MiB together.`;

/** Reads the files of a specification from a commit: regular files of the repository, up to the limit of bytes. */
export function readSpecFiles({ entries, read }: CommitFiles): SpecFiles {
  const texts = new Map<string, string>();
  const oids = new Map<string, string | null>();
  let bytes = 0;
  let excess: string | null = null;
  return {
    texts,
    oids,
    get excess() {
      return excess;
    },
    async read(file) {
      if (/^https?:/i.test(file)) return { problem: 'an address is outside the repository.' };
      const found = entries.get(file);
      oids.set(file, found?.oid ?? null);
      if (found === undefined) return { problem: 'there is no such file.' };
      if (found.mode === 'symlink' || found.mode === 'submodule')
        return { problem: 'it is not a regular file.' };
      const isTooLarge = (found.size ?? 0) > MAX_SPEC_BYTES;
      const content = isTooLarge ? null : await read(found);
      bytes += content?.length ?? Number.POSITIVE_INFINITY;
      if (content === null || bytes > MAX_SPEC_BYTES) {
        excess ??= file;
        return { problem: TOO_MUCH };
      }
      const text = new TextDecoder().decode(content);
      texts.set(file, text);
      return { text };
    },
  };
}
