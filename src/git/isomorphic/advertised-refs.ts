/**
 * The refs that a host lists (gitprotocol-pack(5), "Reference Discovery", version 0 and 1): name to oid. Tags with
 * an object of their own are listed twice, the second time as `name^{}` with the commit.
 */
export function advertisedRefs(body: Buffer): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const line of packetLines(body)) {
    const [, oid, name] = /^([0-9a-f]{40}) ([^\0\n]+)/.exec(line) ?? [];
    if (oid !== undefined && name !== undefined && name !== 'capabilities^{}') refs.set(name, oid);
  }
  return refs;
}

/** Each line starts with its length in four hex digits, which count too; lengths below 4 are marks without a line. */
function* packetLines(body: Buffer): Generator<string> {
  for (let at = 0; at + 4 <= body.length; ) {
    const digits = body.toString('latin1', at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) return;
    const length = Number.parseInt(digits, 16);
    if (length > 4) yield body.toString('utf8', at + 4, at + length);
    at += Math.max(length, 4);
  }
}
