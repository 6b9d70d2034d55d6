import { randomUUID } from 'node:crypto';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheSettings } from '../cache-settings.ts';
import type { CachedRepository } from '../repository.ts';
import { WalkMemory } from '../walk-memory.ts';
import { ProgramRepository } from './program-repository.ts';
import { SessionPool } from './session-pool.ts';

/** Opens repositories of a cache folder by name and creates those that do not exist. */
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
  await makeBare(readerDir);
  return async (name) => {
    const gitDir = join(directory, `${name}.git`);
    const create = () => makeBare(gitDir);
    await create();
    return new ProgramRepository({ ...settings, ...shared, gitPath, gitDir, readerDir, create });
  };
}

/**
 * Creates an empty bare repository (gitrepository-layout(5)), here since starting git takes longer than the work itself.
 * It appears complete or not at all, also when several processes create the same one.
 */
async function makeBare(gitDir: string): Promise<void> {
  if (await exists(join(gitDir, 'HEAD'))) return;
  const temporary = `${gitDir}.${randomUUID()}`;
  try {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      await mkdir(join(temporary, folder), { recursive: true });
    }
    await writeFile(join(temporary, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    await writeFile(join(temporary, 'HEAD'), 'ref: refs/heads/main\n');
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
