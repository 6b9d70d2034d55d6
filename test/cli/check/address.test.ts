/** Links to the repository's own pages on its host count as links into the tree. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRemoteUrl } from '../../../src/cli/check/read-remote-url.ts';
import { type Origin, repositoryAddress } from '../../../src/cli/check/repository-address.ts';
import { workFolder } from './work-folder.ts';

interface AddressCase {
  readonly name: string;
  readonly origin: Origin;
  readonly env?: Readonly<Record<string, string>>;
  readonly base?: string;
  readonly is: string | null;
}

const read = (name: string) => parse(readFileSync(`fixtures/cli/${name}`, 'utf8'));

describe('readRemoteUrl', () => {
  it.each(Object.entries(read('remotes.yaml') as Record<string, string | null>))(
    '%j',
    (address, expected) => {
      const found = readRemoteUrl(address);
      expect(found === null ? null : `${found.htmlHost} ${found.fullName}`).toBe(expected);
    },
  );
});

describe('repositoryAddress', () => {
  it.each(
    (read('addresses.yaml') as AddressCase[]).map((addressCase) => [addressCase.name, addressCase] as const),
  )('%s', (_name, addressCase) => {
    const found = repositoryAddress(addressCase.origin, addressCase.env ?? {}, addressCase.base ?? null);
    expect(found === null ? null : `${found.htmlHost} ${found.fullName} ${found.branch}`).toBe(
      addressCase.is,
    );
  });
});

describe('docloom check and the address of its repository', () => {
  const folder = workFolder();
  const broken = async (base?: string) => {
    const ran = await folder.check({ format: 'json', ...(base === undefined ? {} : { base }) });
    expect(ran.stdout + ran.stderr).not.toContain('secret');
    const told: { target: string; status: string }[] = ran.json().links;
    return told.flatMap(({ target, status }) => (status === 'broken' ? [target] : []));
  };

  it('checks links to the branch that is checked out, or with which it is compared', async () => {
    const [main, dev] = ['main', 'dev'].map((branch) => `https://github.com/O/r/blob/${branch}/none.md`);
    folder.git('init', '--quiet');
    folder.git('remote', 'add', 'origin', 'https://name:secret@github.com/o/r.git');
    folder.commit({ 'a.md': `# A\n\n<${main}> <${dev}> <https://github.com/o/r/blob/main/a.md>\n` });
    expect(await broken()).toEqual([main]);
    folder.git('switch', '--quiet', '--create', 'topic');
    expect(await broken()).toEqual([]);
    expect(await broken('main')).toEqual([main]);
    folder.git('config', 'branch.topic.remote', 'origin');
    folder.git('config', 'branch.topic.merge', 'refs/heads/dev');
    expect(await broken()).toEqual([dev]);
  });
});
