import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JOB_KINDS } from '../../src/server/roles.ts';

/** A kind that is not listed could not be given to a worker by `--queues`. */
it('src/server/roles.ts lists every kind of job', () => {
  const defined = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const found = readFileSync(join('src', path), 'utf8').matchAll(/\bdefineJob\(\{\s*name: '([^']+)'/g);
      return [...found].map(([, name]) => name);
    });
  expect(defined.sort()).toEqual([...JOB_KINDS]);
});
