import { describe, expect, test } from 'vitest';
import { gitbookFormat } from '../../../src/content/formats/gitbook/gitbook-format.ts';
import { processorTime } from '../../support/processor-time.ts';
import { analysisOf } from '../analysis-of.ts';

/** In ms. With steps that look at the rest of a text for each part of it, one of these takes several seconds. */
const LIMIT = 1_500;
const LENGTH = 100_000;

const blank = '\n'.repeat(LENGTH);

describe('a text that only looks as if it went on is read in linear time', () => {
  test.each(['config.toml', 'config.yaml', '_toc.yml', '_toctree.yml', 'Doxyfile'])(
    '%s of empty lines',
    async (name) => {
      const files = { [name]: blank, 'a.md': '[b](/b)\n' };
      const took = await processorTime(() => analysisOf({ files }));
      expect(took).toBeLessThan(LIMIT);
    },
  );

  test('settings of GitBook of empty lines', async () => {
    const files = { '.gitbook.yaml': `root: ./\n${blank}`, 'README.md': '# A\n' };
    const took = await processorTime(() => analysisOf({ files }, { name: 'gitbook', format: gitbookFormat }));
    expect(took).toBeLessThan(LIMIT);
  });

  test('pages that begin a long fence and never end it', async () => {
    const page = `${'~'.repeat(LENGTH)}\n${'a\n'.repeat(LENGTH)}`;
    const files = { 'docs/api/a.md': page, 'docs/api/b.md': page, 'docs/c.md': '[a](api/a.md)\n' };
    analysisOf({ files });
    const took = await processorTime(() => analysisOf({ files: { ...files, 'd.md': '[a](docs/c.md)\n' } }));
    expect(took).toBeLessThan(LIMIT);
  });
});

test('samples of signs in a fence that never ends say nothing of a folder, and the same signs in its pages do', () => {
  const sign = '::: my_package.my_module\n';
  const statusWith = (page: string) => {
    const files = { 'docs/api/a.md': page, 'docs/api/b.md': page, 'docs/c.md': '[a](api/a.md#x)\n' };
    return analysisOf({ files }).links.map(({ status }) => status);
  };
  expect(statusWith(`# A\n\n\`\`\`\n${sign}`)).toEqual(['broken']);
  expect(statusWith(`# A\n\n${sign}`)).toEqual(['unchecked']);
});
