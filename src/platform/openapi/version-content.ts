import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** The stored content of a version: its files, and the document that several files are bundled into (null for one file). */
export interface VersionContent {
  readonly content: Buffer;
  readonly document: Buffer | null;
}

/** The JSON of a version's files: `{entrypoint, files}`. */
export async function readVersionFiles({ content }: VersionContent): Promise<string> {
  return (await expand(content)).toString();
}

/** The document of a version, as compressed JSON. */
export async function documentOf({ content, document }: VersionContent): Promise<Buffer> {
  if (document !== null) return document;
  const { entrypoint, files } = JSON.parse((await expand(content)).toString()) as {
    entrypoint: string;
    files: Record<string, unknown>;
  };
  return await compress(JSON.stringify(files[entrypoint]));
}
