import { describe, expect, it } from 'vitest';
import { workFolder } from './work-folder.ts';

const folder = workFolder();

const config = (...entries: readonly string[]) =>
  `checks:\n  ignore:\n${entries.map((entry) => `    - ${entry}\n`).join('')}`;

describe('ignoring in docloom check', () => {
  it('excludes ignored links from the verdict, and says why', async () => {
    folder.write({
      '.github/docloom.yml': config('{ target: legacy/**, reason: moved next month, until: 2999-12-31 }'),
      'a.md': '[a](legacy/x.md)\n\n<!-- docloom-ignore-next-line: generated -->\n[b](api.md)\n',
    });
    const { code, stdout, stderr, json } = await folder.check({ format: 'json' });
    expect(code).toBe(0);
    expect(json().summary).toMatchObject({ broken: 0, unchecked: 2 });
    expect(json().links).toMatchObject([
      { target: 'legacy/x.md', status: 'unchecked', rule: null, message: 'Ignored: moved next month' },
      { target: 'api.md', status: 'unchecked', rule: null, message: 'Ignored: generated' },
    ]);
    expect(stderr).toBe('');
    expect(stdout).not.toContain('unused');
  });

  it('reports expired and unused entries', async () => {
    folder.write({
      '.github/docloom.yml': config(
        '{ target: legacy/**, reason: moved, until: 2020-01-01 }',
        '{ file: b.md, reason: gone }',
      ),
      'a.md': '[a](legacy/x.md)\n\n<!-- docloom-ignore-disable: was generated -->\n',
    });
    const { code, stdout } = await folder.check();
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        '.github/docloom.yml',
        '  3  warning  This entry expired on 2020-01-01, so its links count again. Fix them, or set a new date.',
        '  4  warning  No broken link matches this entry. Remove it.',
        '',
        'a.md',
        '  1:1  broken  There is no page legacy/x.md in the repository.  missing-page',
        '       legacy/x.md',
        '  3    warning  This docloom-ignore-disable ignores no broken link. Remove it.',
        '',
        '1 link in 1 file: 1 broken, 0 unchecked.',
        '',
      ].join('\n'),
    );
    const { stderr } = await folder.check({ format: 'json' });
    expect(stderr.split('\n')).toEqual([
      'docloom: a.md:3: This docloom-ignore-disable ignores no broken link. Remove it.',
      expect.stringMatching(/^docloom: \.github\/docloom\.yml:3: /),
      expect.stringMatching(/^docloom: \.github\/docloom\.yml:4: /),
      '',
    ]);
  });

  it('does not report an entry as unused when only a part was checked', async () => {
    folder.write({
      '.github/docloom.yml': `${config('{ target: x.md, reason: why }')}spaces: [{directory: a, title: A}, {directory: b, title: B}]\n`,
      'a/a.md': '[x](x.md)',
      'b/b.md': '# B',
    });
    folder.git('init', '--quiet');
    expect((await folder.check({}, ['b'])).stdout).toBe('0 links in 1 file: 0 broken, 0 unchecked.\n');
    expect((await folder.check()).stdout).not.toContain('warning');
  });

  it('accepts another configuration with --config', async () => {
    folder.write({ 'a.md': '[x](x.md)', 'other/links.yml': config('{ target: x.md, reason: why }') });
    expect((await folder.check()).code).toBe(1);
    expect((await folder.check({ config: 'other/links.yml' })).code).toBe(0);
    await expect(folder.check({ config: 'none.yml' })).rejects.toThrow(
      '--config: none.yml cannot be read. Name a docloom.yml file.',
    );
    folder.write({ 'other/links.yml': config('{ target: x.md }') });
    await expect(folder.check({ config: 'links.yml' }, ['..'], `${folder.root}/other`)).rejects.toThrow(
      /^other\/links\.yml:3:7: The key `reason` is missing/,
    );
  });

  it('ignores the same links in both trees of a comparison', async () => {
    folder.git('init', '--quiet');
    folder.commit({ 'a.md': '<!-- docloom-ignore-next-line: why -->\n[x](x.md)\n\n[y](y.md)\n' });
    folder.write({
      'a.md': '[x](x.md)\n\n<!-- docloom-ignore-next-line: why -->\n[y](y.md)\n',
    });
    const { json } = await folder.check({ base: 'main', format: 'json' });
    expect(json().summary).toMatchObject({ introduced: 1, existing: 0, fixed: 0 });
  });
});
