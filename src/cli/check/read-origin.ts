import { readFile } from 'node:fs/promises';
import type { Origin } from './repository-address.ts';
import { runLocalGit } from './run-git.ts';

/** Reads where the repository around a folder comes from. `headFile` is git's HEAD file. */
export async function readOrigin(folder: string, headFile: string, signal: AbortSignal): Promise<Origin> {
  const wanted = [
    'config',
    '--null',
    '--get-regexp',
    '^(remote\\.origin\\.url|branch\\..*\\.(remote|merge))$',
  ];
  const [settings, head] = await Promise.all([
    runLocalGit(folder, wanted, signal),
    readFile(headFile, 'utf8').catch(() => ''),
  ]);
  const values = new Map<string, string>();
  for (const record of settings.stdout.split('\0')) {
    const nameEnd = record.indexOf('\n');
    if (nameEnd !== -1) values.set(record.slice(0, nameEnd), record.slice(nameEnd + 1));
  }
  return parseOrigin(values, head);
}

/** `values` are git settings by name, `head` is the content of the file HEAD. */
export function parseOrigin(values: ReadonlyMap<string, string>, head: string): Origin {
  const local = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  const upstream =
    values.get(`branch.${local}.remote`) === 'origin' ? values.get(`branch.${local}.merge`) : null;
  return {
    url: values.get('remote.origin.url') ?? null,
    branch: upstream?.startsWith('refs/heads/') ? upstream.slice('refs/heads/'.length) : local,
  };
}
