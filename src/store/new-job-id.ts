import { randomBytes } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/**
 * A new job's id: a UUID of version 7 (RFC 9562) whose 12 bits after the time count up within a millisecond, so that ids
 * of one process sort by creation. Jobs of one transaction have the same time of creation and are ordered by id.
 */
export function newJobId(now = Date.now()): string {
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
