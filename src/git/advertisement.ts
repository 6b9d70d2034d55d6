import { packet, packetLines } from './packet-lines.ts';

/** The ref advertisement of a host (gitprotocol-pack(5), "Reference Discovery", versions 0 and 1). */
export interface Advertisement {
  /** Name to oid. An annotated tag appears twice, the second time as `name^{}` with the oid of its commit. */
  readonly refs: ReadonlyMap<string, string>;
  /** As the host wrote them, separated by spaces. */
  readonly capabilities: string;
}

export function parseAdvertisement(body: Buffer): Advertisement {
  const refs = new Map<string, string>();
  let capabilities = '';
  for (const line of packetLines(body)) {
    const [, oid, name, rest] = /^([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)\0?([^\n]*)/.exec(line) ?? [];
    if (oid === undefined || name === undefined) continue;
    if (rest) capabilities = rest;
    if (name !== 'capabilities^{}') refs.set(name, oid);
  }
  return { refs, capabilities };
}

/**
 * Returns an advertisement of only the requested commit, with the host's capabilities. isomorphic-git insists on a
 * HEAD, which a host leaves out when the default branch is gone.
 */
export function writeAdvertisement(oid: string, capabilities: string): Buffer {
  const remaining = capabilities.split(' ').filter((capability) => !capability.startsWith('symref='));
  const lines = [
    packet('# service=git-upload-pack\n'),
    '0000',
    packet(`${oid} HEAD\0${remaining.join(' ')}\n`),
    '0000',
  ];
  return Buffer.from(lines.join(''));
}
