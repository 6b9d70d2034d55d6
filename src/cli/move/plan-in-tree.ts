import { createHash } from 'node:crypto';
import { createEngine } from '../../content/index.ts';
import { type MovePlan, planMove } from '../../content/move/index.ts';
import { readFactsSafely } from '../check/facts-safely.ts';
import { readFrom } from '../check/read-from.ts';
import type { Move } from './open-move.ts';

/** Plans a move in a work tree. Reads only. */
export async function planInTree({ tree, ...move }: Move): Promise<MovePlan> {
  return await planMove({
    ...move,
    engine: createEngine({ readFacts: readFactsSafely }),
    tree: {
      entries: tree.entries,
      read: (entry) => tree.read(entry),
      readBlobs: readFrom(tree),
      oidOf: (path, text) => createHash('sha1').update(`${path}\0${text}`).digest('hex'),
    },
  });
}
