import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openText, replaceText } from '../../../src/cli/check/text-file.ts';
import { workFolder } from './work-folder.ts';

const folder = workFolder();

const around = { 'README.md': '# Home\n', 'docs/guide.md': '# Guide\n\n## First steps\n' };

describe('docloom check --fix', () => {
  it.each([
    ['the right case', '[a](readme.md)\n', '[a](README.md)\n'],
    ['a missing extension', '[a](docs/guide "Guide")\n', '[a](docs/guide.md "Guide")\n'],
    ['the nearest heading', '[a]: docs/guide.md#first-step\n\n[a]', '[a]: docs/guide.md#first-steps\n\n[a]'],
    ['HTML', "<a href='readme.md'>x</a>", "<a href='README.md'>x</a>"],
    [
      'CRLF, a byte order mark and no last line end',
      '\u{feff}[a](readme.md)\r\n\r\n[b](docs/guide) <!-- x -->',
      '\u{feff}[a](README.md)\r\n\r\n[b](docs/guide.md) <!-- x -->',
    ],
    ['nothing that is not certain', '[a](nothing.md) [b](readme.md)', '[a](nothing.md) [b](README.md)'],
  ])('writes %s', async (_name, before, after) => {
    folder.write({ ...around, 'page.md': before });
    const { stderr } = await folder.check({ fix: true, failOn: 'never' });
    expect(folder.read('page.md')).toBe(after);
    expect(stderr).toMatch(/^Changed \d links? in 1 file:\n {2}page\.md:\d /);
  });

  it('reports what it changed, and what is left', async () => {
    folder.write({ ...around, 'page.md': '[a](readme.md)\n[b](nothing.md)\n' });
    const { code, stdout, stderr } = await folder.check({ fix: true });
    expect(stderr).toBe('Changed 1 link in 1 file:\n  page.md:1  readme.md → README.md\n\n');
    expect(stdout).toContain('2 links in 3 files: 1 broken, 0 unchecked.');
    expect(code).toBe(1);
    const again = await folder.check({ fix: true, format: 'json' });
    expect(again.stderr).toBe('Nothing was changed.\n\n');
    expect(again.json().summary.broken).toBe(1);
  });

  it('changes no other byte, nor the permissions of the file', async () => {
    const lines = ['# A  ', '', '\ttext\u{0}\u{feff}', '* x', '<b>', '[a](readme.md)\\', 'end \u{2028}'];
    const text = lines.join('\r\n');
    folder.write({ ...around, 'page.md': text });
    chmodSync(path.join(folder.root, 'page.md'), 0o640);
    await folder.check({ fix: true });
    expect(readFileSync(path.join(folder.root, 'page.md'))).toEqual(
      Buffer.from(text.replace('readme.md', 'README.md')),
    );
    expect(statSync(path.join(folder.root, 'page.md')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.root).toSorted()).toEqual(['README.md', 'docs', 'page.md']);
  });

  it('does not change a file that is not UTF-8', async () => {
    const latin = Buffer.concat([Buffer.from('[a](readme.md) '), Buffer.from([0xe9])]);
    folder.write({ ...around, 'page.md': latin });
    const { code, stderr } = await folder.check({ fix: true });
    expect(readFileSync(path.join(folder.root, 'page.md'))).toEqual(latin);
    expect(stderr).toContain('not changed: the file is not UTF-8, or cannot be read');
    expect(code).toBe(1);
  });

  it('does not change a write-protected file, and says so', async () => {
    folder.write({ ...around, 'page.md': '[a](readme.md)\n' });
    chmodSync(path.join(folder.root, 'page.md'), 0o444);
    const { code, stderr } = await folder.check({ fix: true });
    expect(folder.read('page.md')).toBe('[a](readme.md)\n');
    expect(stderr).toContain('readme.md → README.md  not changed: the file is write-protected');
    expect(code).toBe(1);
  });

  it('fixes with --base only what the change broke', async () => {
    folder.git('init', '--quiet');
    folder.commit({ ...around, 'page.md': '[old](readme.md)\n' });
    folder.write({ 'page.md': '[old](readme.md)\n\n[new](docs/guide)\n' });
    const { stderr, stdout } = await folder.check({ fix: true, base: 'main' });
    expect(folder.read('page.md')).toBe('[old](readme.md)\n\n[new](docs/guide.md)\n');
    expect(stderr).toBe('Changed 1 link in 1 file:\n  page.md:3  docs/guide → docs/guide.md\n\n');
    expect(stdout).toContain('0 introduced, 1 existing, 0 fixed.');
  });

  it('writes redirects with --base for the addresses that the change removes', async () => {
    const text = '# A page\n\nWith words.\n';
    folder.git('init', '--quiet');
    folder.commit({
      '.github/docloom.yml':
        'spaces: [{ directory: book, format: gitbook }, { directory: site, format: mkdocs }]\n',
      'book/README.md': '# Book\n',
      'book/SUMMARY.md': '- [Book](README.md)\n- [A](a.md)\n',
      'book/a.md': text,
      'site/mkdocs.yml':
        'site_name: Site\nnav:\n  - index.md\n  - a.md\nplugins:\n  - redirects:\n      redirect_maps:\n        older.md: index.md\n',
      'site/docs/index.md': '# Site\n',
      'site/docs/a.md': text,
    });
    folder.git('mv', 'book/a.md', 'book/b.md');
    folder.git('mv', 'site/docs/a.md', 'site/docs/b.md');
    const { stderr, code } = await folder.check({ fix: true, base: 'main' });
    expect(stderr).toBe(
      [
        'Changed 2 links and wrote 1 redirect in 2 files:',
        '  book/SUMMARY.md:2  a.md → b.md',
        '  site/mkdocs.yml:4  a.md → b.md',
        '  site/mkdocs.yml  a.md → b.md',
        '',
        // The page has an address again since its navigation names it.
        'Wrote 1 redirect in 1 file:',
        '  book/.gitbook.yaml  a → b.md',
        '\n',
      ].join('\n'),
    );
    expect(folder.read('book/.gitbook.yaml')).toBe('redirects:\n  a: b.md\n');
    expect(folder.read('site/mkdocs.yml')).toContain('\n  - b.md\n');
    expect(folder.read('site/mkdocs.yml')).toContain('older.md: index.md\n        a.md: b.md\n');
    expect(code).toBe(0);
    const again = await folder.check({ fix: true, base: 'main' });
    expect(again.stderr).toBe('Nothing was changed.\n\n');
    expect(again.stdout).not.toContain('lost-address');
  });

  it('does not change files of redirects that git ignores', async () => {
    folder.git('init', '--quiet');
    folder.commit({
      '.gitignore': '.gitbook.yaml\n',
      '.github/docloom.yml': 'spaces: [{ directory: ., format: gitbook }]\n',
      'README.md': '# Book\n',
      'SUMMARY.md': '- [Book](README.md)\n- [A](a.md)\n',
      'a.md': '# A page\n',
    });
    folder.git('mv', 'a.md', 'b.md');
    const ignored = 'redirects:\n  older: README.md\n';
    folder.write({
      'SUMMARY.md': '- [Book](README.md)\n- [A](b.md)\n',
      '.gitbook.yaml': ignored,
    });
    const { stderr } = await folder.check({ fix: true, base: 'main' });
    expect(stderr).toBe(
      'Nothing was changed.\n  .gitbook.yaml  a → b.md  not written: a file that git ignores is in its place\n\n',
    );
    expect(folder.read('.gitbook.yaml')).toBe(ignored);
  });

  it('does not write through a symbolic link', async () => {
    folder.write({ ...around, 'page.md': '[a](readme.md)\n' });
    symlinkSync('page.md', path.join(folder.root, 'docs/link.md'));
    symlinkSync('.', path.join(folder.root, 'loop'));
    await folder.check({ fix: true });
    expect(folder.read('page.md')).toBe('[a](README.md)\n');
    expect(lstatSync(path.join(folder.root, 'docs/link.md')).isSymbolicLink()).toBe(true);
  });

  it('changes only the named paths', async () => {
    folder.write({ ...around, 'page.md': '[a](readme.md)', 'docs/b.md': '[a](../readme.md)' });
    folder.git('init', '--quiet');
    await folder.check({ fix: true }, ['docs']);
    expect(folder.read('page.md')).toBe('[a](readme.md)');
    expect(folder.read('docs/b.md')).toBe('[a](../README.md)');
  });

  it('writes the new name of a page that git moved, before anything is committed', async () => {
    folder.git('init', '--quiet');
    folder.commit({ ...around, 'page.md': '[a](docs/guide.md#first-steps)\n' });
    folder.git('mv', 'docs/guide.md', 'docs/manual.md');
    await folder.check({ fix: true });
    expect(folder.read('page.md')).toBe('[a](docs/manual.md#first-steps)\n');
  });

  it('does not change ignored links', async () => {
    const page = '<!-- docloom-ignore-next-line: made later -->\n[a](readme.md)\n';
    folder.write({ ...around, 'page.md': page });
    await folder.check({ fix: true });
    expect(folder.read('page.md')).toBe(page);
  });
});

describe('replaceText', () => {
  it('refuses when the file was changed since it was opened, and when it is gone', async () => {
    folder.write({ 'page.md': 'one' });
    const text = await openText(path.join(folder.root, 'page.md'));
    if (text === null) throw new Error('The file cannot be opened.');
    folder.write({ 'page.md': 'two' });
    expect(await replaceText(text, 'three')).toBe('the file was changed in the meantime');
    expect(folder.read('page.md')).toBe('two');
    folder.remove('page.md');
    expect(await replaceText(text, 'three')).toBe('the file cannot be written (ENOENT)');
    expect(readdirSync(folder.root)).toEqual([]);
  });
});
