import { expect, it } from 'vitest';
import { mdbookFormat } from '../../../src/content/formats/mdbook/mdbook-format.ts';
import { analysisOf } from '../analysis-of.ts';

it('takes a picture that a symbolic link brings into the book for published', () => {
  const { links } = analysisOf(
    {
      files: {
        'book.toml': '',
        'src/SUMMARY.md': '- [Page](page.md)\n',
        'src/page.md': '![in](cpp/overview.svg)\n\n![out](../third_party/overview.svg)\n',
        'third_party/overview.svg': '<svg/>',
      },
      links: { 'src/cpp/overview.svg': '../../third_party/overview.svg' },
    },
    { name: 'mdbook', format: mdbookFormat },
  );
  const verdicts = links
    .filter(({ file }) => file === 'src/page.md')
    .map(({ status, rule }) => rule ?? status);
  expect(verdicts).toEqual(['ok', 'outside-space']);
});
