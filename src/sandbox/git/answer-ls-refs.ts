import { packetLine } from './packet-line.ts';
import { readPlainRefs } from './read-refs.ts';

/**
 * Answers the command `ls-refs` of version 2 of the protocol from the files of the refs, since starting git takes longer.
 * Null for other commands, and where git has to answer ({@link readPlainRefs}).
 * https://git-scm.com/docs/protocol-v2#_ls_refs
 */
export async function answerLsRefs(gitDir: string, request: Buffer): Promise<string | null> {
  const lines = readLines(request);
  if (lines?.[0] !== 'command=ls-refs') return null;
  const plain = await readPlainRefs(gitDir);
  if (plain === null) return null;
  const { refs, branch, current } = plain;
  const prefixes = lines.flatMap((line) => (line.startsWith('ref-prefix ') ? [line.slice(11)] : []));
  const isAsked = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const target = lines.includes('symrefs') ? ` symref-target:${branch}` : '';
  const answered = [
    ...(isAsked('HEAD') ? [`${current} HEAD${target}`] : []),
    ...Object.entries(refs).flatMap(([name, oid]) => (isAsked(name) ? [`${oid} ${name}`] : [])),
  ];
  return `${answered.map((line) => packetLine(`${line}\n`)).join('')}0000`;
}

/** The lines of a request, or null if it is malformed. */
function readLines(request: Buffer): string[] | null {
  const lines: string[] = [];
  let at = 0;
  while (at < request.length) {
    const size = Number.parseInt(request.toString('latin1', at, at + 4), 16);
    // 0000 and 0001 end the request and its capabilities.
    if (size === 0 || size === 1) {
      at += 4;
      continue;
    }
    if (!(size >= 4) || at + size > request.length) return null;
    lines.push(request.toString('utf8', at + 4, at + size).replace(/\n$/, ''));
    at += size;
  }
  return lines;
}
