import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnchorBlock,
  type AnchoredThread,
  blocksOf,
  enclosingBlocks,
  followBlocks,
  followThreads,
  MAX_BLOCKS,
  quoteOf,
} from '../../../src/content/anchors/index.ts';
import { toDocument } from '../../../src/content/render/index.ts';
import { processorTime } from '../../support/processor-time.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const blocks = (...texts: string[]): AnchorBlock[] =>
  texts.map((text, at) => ({ key: String(at + 1), type: 'paragraph', text }));

describe('blocks', () => {
  it.each<[name: string, before: string[], after: string[], expected: (number | null)[]]>([
    ['stay', ['one', 'two'], ['one', 'two'], [1, 2]],
    ['move down', ['one', 'two'], ['new', 'one', 'two'], [2, 3]],
    ['are gone', ['one', 'two'], ['two'], [null, 1]],
    [
      'change places',
      ['a first text', 'a second text', 'and a third'],
      ['and a third', 'a first text', 'a second text'],
      [2, 3, 1],
    ],
    ['are edited', ['Run it as root.', 'Stop.'], ['Run it as the root user.', 'Stop.'], [1, 2]],
    [
      'keep their place among others of the same text',
      ['A', 'note', 'B', 'note', 'C'],
      ['A', 'B', 'note', 'C'],
      [1, null, 2, 3, 4],
    ],
    ['are replaced', ['Install the package.'], ['Everything else is described elsewhere.'], [null]],
    [
      'are edited beside a similar one that stays',
      ['Set FOO to 1.', 'Set BAR to 1.'],
      ['Set BAR to 2.'],
      [null, 1],
    ],
    ['without text have no successor elsewhere', ['', 'a', 'b'], ['a', 'b', ''], [null, 1, 2]],
    ['are swallowed by an empty page', ['a', 'b'], [], [null, null]],
  ])('%s', (_name, before, after, expected) => {
    const successors = followBlocks(blocks(...before), blocks(...after));
    expect(blocks(...before).map(({ key }) => Number(successors.get(key) ?? 0) || null)).toEqual(expected);
  });

  it('of a document are those with a text of their own, with what stands inside of each', async () => {
    const tree = await toDocument(
      '# Title\n\n- one\n- two\n\n```js\nlet a;\nlet b;\n```\n\n| h |\n| - |\n| cell |\n',
    );
    const found = blocksOf(tree);
    expect(found.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'heading-1: Title',
      'list-unordered: one two',
      'list-item: one',
      'paragraph: one',
      'list-item: two',
      'paragraph: two',
      'code: let a; let b;',
      'table: h cell',
      'paragraph: h',
      'paragraph: cell',
    ]);
    const code = found.find(({ type }) => type === 'code')?.key ?? '';
    const inside = [...enclosingBlocks(tree)].filter(([, block]) => block === code);
    expect(inside.length).toBeGreaterThan(3);
  });

  it('of a long text are told apart by its end, and quoted by its beginning', async () => {
    const words = 'word '.repeat(200);
    const [a, b] = blocksOf(await toDocument(`${words} one\n\n${words} two`)) as [AnchorBlock, AnchorBlock];
    expect(a.text).not.toBe(b.text);
    expect(quoteOf(a)).toMatch(/^word word .*…$/);
    expect(quoteOf(a).length).toBeLessThan(300);
  });

  it('of a huge page are compared within limits', async () => {
    const many = (seed: number) =>
      Array.from({ length: MAX_BLOCKS }, (_, at) => ({
        key: `${at}`,
        type: 'paragraph',
        text: `${seed} ${at * seed}`,
      }));
    const time = await processorTime(() => followBlocks(many(7), many(11)));
    expect(time).toBeLessThan(10_000);
  });
});

describe('threads', () => {
  const thread = (node: string | null, quote: string): AnchoredThread => ({ id: 'a', node, quote });

  it('whose text is gone stand on it again when it is back, but not on one of several', () => {
    const back = followThreads([thread(null, 'two')], { before: blocks('one'), after: blocks('one', 'two') });
    expect(back).toEqual([thread('2', 'two')]);
    const several = followThreads([thread(null, 'two')], {
      before: blocks('one'),
      after: blocks('two', 'one', 'two'),
    });
    expect(several).toEqual([thread(null, 'two')]);
    const taken = followThreads([thread(null, 'one')], { before: blocks('one'), after: blocks('one') });
    expect(taken).toEqual([thread(null, 'one')]);
  });

  it('follow 200 edits at random: each stands on its text or says that it is gone', () => {
    fc.assert(
      fc.property(
        fc.array(anEdit, { minLength: 200, maxLength: 200 }),
        fc.infiniteStream(aText),
        (edits, texts) => {
          const page = new Page(texts);
          let threads: readonly AnchoredThread[] = page.lines.slice(0, 50).map(({ id, text }, at) => ({
            id,
            node: String(at),
            quote: quoteOf({ key: '', type: '', text }),
          }));
          const all = threads.map(({ id }) => id);
          let before = page.blocks();
          for (const edit of edits) {
            page.apply(edit);
            const after = page.blocks();
            threads = followThreads(threads, { before, after });
            before = after;
            expect(threads.map(({ id }) => id)).toEqual(all);
            for (const { id, node, quote } of threads) {
              const own = page.lines.findIndex((line) => line.id === id);
              if (node === null) {
                // It is said to be gone only where the text is gone, or was replaced by another one.
                if (own !== -1) expect(page.lines[own]?.text).not.toBe(quote);
              } else {
                expect(page.lines[Number(node)]?.id, `${quote} is on the wrong text`).toBe(id);
                expect(quoteOf(after[Number(node)] as AnchorBlock)).toBe(quote);
              }
            }
          }
          expect(threads.filter(({ node }) => node !== null).length).toBeGreaterThan(0);
        },
      ),
      propertyRuns(5),
    );
  });
});

/** Texts of eight words that have little in common, as those of a page. */
const aText = fc
  .array(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 8, maxLength: 8 })
  .map((words) => words.join(' '));

type Edit = readonly [kind: number, at: number, to: number];
const anEdit: fc.Arbitrary<Edit> = fc.tuple(fc.nat(99), fc.nat(10_000), fc.nat(10_000));

/** A page whose lines are known by who they are, whatever they say. */
class Page {
  lines: { readonly id: string; text: string }[] = [];
  readonly #texts: Iterator<string>;
  #count = 0;

  constructor(texts: Iterable<string>) {
    this.#texts = texts[Symbol.iterator]();
    for (let at = 0; at < 80; at += 1) this.lines.push(this.#line());
  }

  #line() {
    this.#count += 1;
    return { id: `line ${this.#count}`, text: `${this.#count} ${this.#texts.next().value}` };
  }

  blocks(): AnchorBlock[] {
    return this.lines.map(({ text }, at) => ({ key: String(at), type: 'paragraph', text }));
  }

  apply([kind, from, target]: Edit): void {
    const at = from % Math.max(1, this.lines.length);
    const to = target % Math.max(1, this.lines.length);
    const line = this.lines[at];
    if (kind < 35 || line === undefined) this.lines.splice(to, 0, this.#line());
    else if (kind < 50) this.lines.splice(at, 1);
    else if (kind < 70) this.lines.splice(to, 0, ...this.lines.splice(at, 1));
    else if (kind < 95) {
      const words = line.text.split(' ');
      words.splice(target % words.length, 1, `w${from}`);
      line.text = words.join(' ');
    } else this.lines.splice(at, 3, this.#line());
  }
}
