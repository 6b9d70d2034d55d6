import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Octokit } from '@octokit/rest';
import type { Stage } from '../../../src/cli/demo/open-stage.ts';
import { gitIn } from '../../../src/cli/demo/run-git.ts';

/** Path → text, or null to delete the file. */
export type Changes = Readonly<Record<string, string | null>>;

/** Someone who writes docs: a work tree of their own, the real git program, and GitHub's API. */
export interface Author {
  readonly owner: string;
  readonly repo: string;
  readonly fullName: string;
  readonly octokit: Octokit;
  readonly git: (...args: string[]) => Promise<string>;
  /** Commits the changes on the current branch and answers the commit's oid. */
  commit(changes: Changes, message?: string): Promise<string>;
  push(branch?: string, ...options: string[]): Promise<void>;
  /** Both of the above. */
  publish(changes: Changes, branch?: string): Promise<string>;
}

/** Makes a repository on the stage's forge, installs the App on it, and clones it. */
export async function createAuthor(
  stage: Stage,
  options: { owner: string; repo?: string; private?: boolean },
): Promise<Author> {
  const { owner, repo = 'docs' } = options;
  await stage.forge.createRepository({ owner, name: repo, private: options.private ?? false });
  stage.forge.installApp({ owner, repositories: 'all' });
  return await cloneAs(stage, owner, `${owner}/${repo}`);
}

/** Clones a repository that is there, as one of the forge's users. */
export async function cloneAs(stage: Stage, login: string, fullName: string): Promise<Author> {
  const { token } = stage.forge.createUser(login);
  const [owner = '', repo = ''] = fullName.split('/');
  const address = `${stage.forge.url}/${fullName}.git`.replace('://', `://${login}:${token}@`);
  const workTree = await mkdtemp(join(stage.folder, `${login}-`));
  await rm(workTree, { recursive: true });
  await gitIn(stage.folder)('clone', '--quiet', address, workTree);
  const git = gitIn(workTree);
  const author: Author = {
    owner,
    repo,
    fullName,
    octokit: new Octokit({ auth: token, baseUrl: stage.forge.apiUrl }),
    git,
    async commit(changes, message = 'Change the docs') {
      for (const [path, text] of Object.entries(changes)) {
        const file = join(workTree, path);
        if (text === null) await rm(file);
        else {
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, text);
        }
      }
      await git('add', '--all');
      await git('commit', '--quiet', '--message', message);
      return await git('rev-parse', 'HEAD');
    },
    async push(branch = 'main', ...more) {
      await git('push', '--quiet', ...more, 'origin', `HEAD:refs/heads/${branch}`);
    },
    async publish(changes, branch = 'main') {
      const oid = await author.commit(changes);
      await author.push(branch);
      return oid;
    },
  };
  return author;
}
