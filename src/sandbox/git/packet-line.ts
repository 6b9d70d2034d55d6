/** A line of git's protocol, after its length. https://git-scm.com/docs/protocol-common#_pkt_line_format */
export function packetLine(line: string): string {
  return `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}`;
}
