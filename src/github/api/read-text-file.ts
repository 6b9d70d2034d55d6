import { Buffer } from 'node:buffer';
import { nullWhenMissing } from './errors.ts';
import type { Octokit } from './octokit.ts';
import type { RepositoryName } from './repository.ts';

/** The text of a file, or why it cannot be read. */
export type ReadText = { readonly text: string } | { readonly problem: 'no-file' | 'too-large' | 'no-text' };

/** Reads a small text file (up to 1 MB) at a commit through the API; null when there is none at the path. */
export async function readTextFile(
  octokit: Octokit,
  { owner, name: repo }: RepositoryName,
  path: string,
  commitOid: string,
): Promise<ReadText | null> {
  const response = await nullWhenMissing(
    octokit.rest.repos.getContent({ owner, repo, path, ref: commitOid }),
  );
  if (response === null) return null;
  const { data } = response;
  if (Array.isArray(data) || !('content' in data)) return { problem: 'no-file' };
  // Above 1 MB GitHub sends no content, and the encoding `none`.
  if (data.encoding !== 'base64') return { problem: 'too-large' };
  const text = decodeUtf8(Buffer.from(data.content, 'base64'));
  return text === null ? { problem: 'no-text' } : { text };
}

/** Decodes UTF-8; null when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
