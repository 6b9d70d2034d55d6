import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ContentsEntry, MAX_CONTENTS_ENTRIES } from '../../src/content/model/index.ts';
import { readFacts } from './read-facts.ts';

const folder = new URL('../../fixtures/content/facts/', import.meta.url);

// After a wanted change: UPDATE_FACTS=1 npx vitest run test/content/read-facts.test.ts, then read the difference.
const isUpdate = process.env['UPDATE_FACTS'] === '1';

describe('readFacts', () => {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.md'))) {
    it(`reads ${name}`, () => {
      const { references, anchors, ...rest } = readFacts(name, readFileSync(new URL(name, folder)));
      const told = {
        references: references.map(
          (one) =>
            `${one.line}:${one.column}-${one.endLine}:${one.endColumn} ${one.kind} ${one.target} | ${one.text}`,
        ),
        anchors: anchors.map((one) => `${one.line} h${one.level} #${one.name} | ${one.heading}`),
        ...rest,
      };
      const expected = new URL(name.replace(/md$/, 'json'), folder);
      if (isUpdate) writeFileSync(expected, `${JSON.stringify(told, null, 2)}\n`);
      expect(told).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
    });
  }

  it('refuses a file that is too large, and reports it', () => {
    const facts = readFacts('big.md', new Uint8Array(50 * 1024 * 1024));
    expect(facts).toMatchObject({
      complete: false,
      references: [],
      problems: [{ message: 'The file is larger than 4 MB and was not read.', line: null }],
    });
  });

  it('leaves out the end of a table of contents that a server would not compute between two answers', () => {
    const readSummary = (items: number) => {
      const lines = Array.from(
        { length: items },
        (_, at) => `${' '.repeat((at % 60) * 2)}* [P${at}](p${at}.md)`,
      );
      const text = `# Table of contents\n\n## Group\n\n${lines.join('\n')}\n`;
      return readFacts('SUMMARY.md', new TextEncoder().encode(text));
    };
    const targetsIn = (entries: readonly ContentsEntry[]): (string | null)[] =>
      entries.flatMap(({ target, children }) => [target, ...targetsIn(children)]);
    const most = readSummary(MAX_CONTENTS_ENTRIES - 1);
    expect(targetsIn(most.contents ?? [])).toHaveLength(MAX_CONTENTS_ENTRIES);
    expect(most.problems).toEqual([]);
    const more = readSummary(MAX_CONTENTS_ENTRIES + 1_000);
    expect(more.contents).toEqual(most.contents);
    expect(more.references).toHaveLength(MAX_CONTENTS_ENTRIES + 1_000);
    expect(more.problems).toEqual([
      {
        message: `The table of contents has more than ${MAX_CONTENTS_ENTRIES} entries; the rest is left out of the navigation.`,
        line: null,
      },
    ]);
  });
});
