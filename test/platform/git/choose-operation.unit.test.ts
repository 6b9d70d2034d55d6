import { describe, expect, it } from 'vitest';
import { chooseOperation, type OpenOperation } from '../../../src/platform/git/choose-operation.ts';
import type { ExecutedOperation } from '../../../src/store/index.ts';

const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 12, minute));
const now = at(59);

/** `a5` is the operation `a` of an event at minute 5; `!` forces it, `|` makes it standalone, `~` makes it wait, `>` makes it an export, `@x` has another branch. */
function open(text: string): OpenOperation[] {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one, index) => ({
      id: one[0] as string,
      sequence: index + 1,
      timestamp: at(Number.parseInt(one.slice(1), 10)),
      direction: one.includes('>') ? 'export' : 'import',
      force: one.includes('!'),
      standalone: one.includes('|'),
      notBefore: one.includes('~') ? new Date(now.getTime() + 1000) : null,
      ...sourceOf(one),
    }));
}

/** What was executed: as above, where `x` failed. */
function executed(text: string): ExecutedOperation[] {
  return open(text).map(({ id, direction, timestamp }, index) => ({
    direction,
    timestamp,
    state: id === 'x' ? 'failure' : 'success',
    ...sourceOf(text.split(' ')[index] as string),
  }));
}

function sourceOf(one: string) {
  return { url: 'https://git.example/a.git', ref: /@(.+)/.exec(one)?.[1] ?? 'main', directory: '' };
}

const cases: {
  name: string;
  open: string;
  last?: string;
  run: string | null;
  skip?: string;
  waits?: true;
}[] = [
  { name: 'nothing', open: '', run: null },
  { name: 'one', open: 'a5', run: 'a' },
  { name: 'a burst collapses to the newest', open: 'a5 b6 c7', run: 'c', skip: 'ab' },
  { name: 'also when it arrives in another order', open: 'c7 a5 b6', run: 'c', skip: 'ab' },
  { name: 'of the same moment, the last that arrived', open: 'a5 b5', run: 'b', skip: 'a' },
  { name: 'older than what was executed', open: 'a5', last: 'y6', run: null, skip: 'a' },
  { name: 'as old as what was executed', open: 'a6', last: 'y6', run: 'a' },
  { name: 'older, but forced', open: 'a5!', last: 'y6', run: 'a' },
  { name: 'forced ones in the order of their events', open: 'b6! a5!', run: 'a' },
  { name: 'a forced one collapses nothing', open: 'a5 b6!', run: 'a' },
  { name: 'standalone ones are not part of the order', open: 'a5| b6| c7', last: 'y9', run: 'a', skip: 'c' },
  { name: 'one that waits for its next try', open: 'a5~', run: null, waits: true },
  { name: 'a newer one does not wait for it', open: 'a5~ b6', run: 'b', skip: 'a' },
  { name: 'imports and exports run in the order of their events', open: 'a6 b5>', run: 'b' },
  { name: 'one direction collapses nothing of the other', open: 'a5> b6 c7>', run: 'b', skip: 'a' },
  { name: 'an older export than an executed import runs', open: 'a5>', last: 'y6', run: 'a' },
  { name: 'older than what failed with its source', open: 'a5', last: 'x6', run: null, skip: 'a' },
  { name: 'older than what failed with another source', open: 'a5', last: 'x6@b', run: 'a' },
  {
    name: 'older than what is live from another source',
    open: 'a5',
    last: 'y6@b x7@c',
    run: null,
    skip: 'a',
  },
  { name: 'a newer one with another source collapses nothing', open: 'a5 b6@b', run: 'a' },
  {
    name: 'a burst with two sources collapses to one of each',
    open: 'a5 b6@b c7 d8@b',
    run: 'c',
    skip: 'ab',
  },
  { name: 'what is exported elsewhere makes no export unnecessary', open: 'a5>', last: 'y6>@b', run: 'a' },
  { name: 'what is exported to the same branch does', open: 'a5>@b', last: 'y6>@b', run: null, skip: 'a' },
  { name: 'a standalone one does not wait for it either', open: 'a5~ b6|', run: 'b' },
];

describe('the next operation of a space', () => {
  it.each(cases)('$name', ({ open: text, last = '', run, skip = '', waits }) => {
    const choice = chooseOperation(open(text), executed(last), now);
    expect(choice.run).toBe(run);
    expect(choice.skip.map((one) => one.id).join('')).toBe(skip);
    expect(choice.dueAt !== null).toBe(waits === true);
  });
});
