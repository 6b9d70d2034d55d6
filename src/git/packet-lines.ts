/** A line of git's protocol starts with its length in four hex digits, which count too (gitprotocol-common(5)). */
export function packet(line: string): string {
  return (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;
}

/** Yields the lines of a body, up to the first malformed one; lengths below 4 are markers without a line. */
export function* packetLines(body: Buffer): Generator<string> {
  for (let at = 0; at + 4 <= body.length; ) {
    const digits = body.toString('latin1', at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) return;
    const length = Number.parseInt(digits, 16);
    if (length > 4) yield body.toString('utf8', at + 4, at + length);
    at += Math.max(length, 4);
  }
}
