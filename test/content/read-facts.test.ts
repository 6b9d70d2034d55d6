import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
});
