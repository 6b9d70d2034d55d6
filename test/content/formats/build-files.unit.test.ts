import { expect, it } from 'vitest';
import { openSpace } from '../../../src/content/engine/open-space.ts';
import { githubFormat } from '../../../src/content/formats/github/github-format.ts';
import { treeOf } from '../analysis-of.ts';
import { filesOfTexts } from '../files-of-texts.ts';

it('reads the files of a build once, also for a site without its pages beside another project', () => {
  const texts: Readonly<Record<string, string>> = {
    'mkdocs.yml': 'site_name: X\ndocs_dir: gone\n',
    'conf.py': "project = 'X'\nextensions = ['myst_parser']",
    Makefile: 'docs:\n\tpython scripts/fill.py\n',
    'scripts/fill.py': "open('gone/a.md', 'w')\n",
    'a.md': '# A',
  };
  const read: string[] = [];
  const files = filesOfTexts(({ path }) => {
    read.push(path);
    return texts[path] ?? null;
  });
  openSpace({ tree: treeOf({ files: texts }).tree, directory: '', format: githubFormat, files });
  expect(read.filter((path) => path === 'scripts/fill.py')).toHaveLength(1);
});
