import { randomUUID } from 'node:crypto';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheSettings } from '../cache-settings.ts';
import type { CachedRepository } from '../repository.ts';
import { WalkMemory } from '../walk-memory.ts';
import { localEnvironment } from './environment.ts';
import { runGit } from './git-process.ts';
import { ProgramRepository } from './program-repository.ts';
import { SessionPool } from './session-pool.ts';

/** Opens repositories of a cache folder by name, making the ones that are not there. */
export async function openProgramRepository(
  directory: string,
  gitPath: string,
  settings: CacheSettings,
): Promise<(name: string) => Promise<CachedRepository>> {
  const readerDir = join(directory, 'reader.git');
  const shared = {
    moved: new Map<string, string>(),
    sessions: new SessionPool(gitPath),
    walks: new WalkMemory(),
  };
  await makeBare(gitPath, readerDir);
  return async (name) => {
    const gitDir = join(directory, `${name}.git`);
    await makeBare(gitPath, gitDir);
    return new ProgramRepository({ ...settings, ...shared, gitPath, gitDir, readerDir });
  };
}

/** Appears whole or not at all, also when several processes make the same one. */
async function makeBare(gitPath: string, gitDir: string): Promise<void> {
  if (await exists(join(gitDir, 'HEAD'))) return;
  const temporary = `${gitDir}.${randomUUID()}`;
  const { code, stderr } = await runGit({
    gitPath,
    args: ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'],
    env: localEnvironment(temporary),
  });
  if (code !== 0) throw new Error(`git could not make a repository in the cache folder: ${stderr.trim()}`);
  try {
    await rename(temporary, gitDir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(join(gitDir, 'HEAD')))) throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
