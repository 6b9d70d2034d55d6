import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { HashName } from '../object-oid.ts';
import type { ObjectType, RawObject } from '../objects.ts';

const types: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const compress = promisify(deflate);

/** A pack of whole objects, without deltas (gitformat-pack(5)): pushes are small, and hosts repack. */
export async function writePack(objects: readonly RawObject[], hash: HashName): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { type, bytes } of objects)
    parts.push(entryHead(types[type], bytes.length), await compress(bytes));
  const pack = Buffer.concat(parts);
  return Buffer.concat([pack, createHash(hash).update(pack).digest()]);
}

/** The type and size: four bits of the size beside the type, then seven in each byte, the lowest first. */
function entryHead(type: number, size: number): Buffer {
  const bytes = [];
  let rest = Math.floor(size / 16);
  let byte = (type << 4) | (size & 15);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, byte]);
}
