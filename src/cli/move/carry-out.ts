import { lstat, mkdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MovePlan } from '../../content/move/index.ts';
import { runLocalGit } from '../check/run-git.ts';
import { openText, replaceText } from '../check/text-file.ts';
import { UsageError } from '../command.ts';
import type { Move } from './open-move.ts';

/**
 * Moves the files, with git if it tracks them, then writes their changes. All or nothing: when a step fails, the previous
 * ones are undone. Throws `UsageError` then.
 */
export async function carryOut(move: Move, plan: MovePlan, signal: AbortSignal): Promise<void> {
  await recheck(move, plan);
  const undo: (() => Promise<void>)[] = [];
  try {
    await moveFiles(move, signal, undo);
    for (const [file, { before, after }] of plan.symlinks)
      await writeSymlink(move, file, before ?? '', after, undo);
    for (const [file, { before, after }] of plan.texts) {
      if (before === null) await makeFile(move, file, after, undo);
      else await writeText(move, file, after, undo);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failed: string[] = [];
    for (const step of undo.reverse()) await step().catch((error: unknown) => failed.push(String(error)));
    throw new UsageError(
      failed.length === 0
        ? `Nothing was moved: ${why}.`
        : `${move.from} was moved only in part: ${why}. Undoing it failed, too (${failed.join('; ')}), so check \`git status\`.`,
    );
  }
}

/** Whether all files are still as they were when the move was planned. */
async function recheck({ tree, from, to }: Move, plan: MovePlan): Promise<void> {
  const oldPath = (file: string) =>
    file === to || file.startsWith(`${to}/`) ? from + file.slice(to.length) : file;
  for (const [file, { before }] of plan.texts) {
    const old = path.join(tree.root, oldPath(file));
    const isAsPlanned =
      before === null
        ? (await lstat(old).catch(() => null)) === null
        : (await openText(old))?.source === before;
    if (!isAsPlanned) {
      throw new UsageError(
        `${oldPath(file)} is not UTF-8 or was changed in the meantime, so nothing was moved. Try again.`,
      );
    }
  }
}

async function writeText(
  { tree }: Move,
  file: string,
  after: string,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const text = await openText(path.join(tree.root, file));
  const problem = text === null ? 'the file cannot be read' : await replaceText(text, after);
  if (text === null || problem !== null) throw new Error(`${file} cannot be changed, ${problem}`);
  undo.push(async () => {
    const changed = await openText(path.join(tree.root, file));
    const failed = changed === null ? 'it cannot be read' : await replaceText(changed, text.source);
    if (failed !== null) throw new Error(`${file}: ${failed}`);
  });
}

async function makeFile(
  { tree }: Move,
  file: string,
  text: string,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const absolute = path.join(tree.root, file);
  await writeFile(absolute, text, { flag: 'wx' });
  undo.push(async () => await rm(absolute));
}

async function writeSymlink(
  { tree }: Move,
  file: string,
  before: string,
  after: string,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const absolute = path.join(tree.root, file);
  if ((await readlink(absolute)) !== before) throw new Error(`${file} was changed in the meantime`);
  const put = async (target: string) => {
    await rm(absolute, { force: true });
    await symlink(target, absolute);
  };
  undo.push(async () => await put(before));
  await put(after);
}

async function moveFiles(
  { tree, from, to }: Move,
  signal: AbortSignal,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const { root } = tree;
  const [source, target] = [path.join(root, from), path.join(root, to)];
  const made = await mkdir(path.dirname(target), { recursive: true });
  if (made !== undefined) undo.push(async () => await removeEmpty(path.dirname(target), made));
  const known = tree.isGit
    ? await runLocalGit(root, ['--literal-pathspecs', 'ls-files', '-z', '--', from], signal)
    : null;
  if (known === null || known.stdout === '') {
    await rename(source, target);
    undo.push(async () => await rename(target, source));
    return;
  }
  const moved = await runLocalGit(root, ['mv', '--', from, to], signal);
  if (moved.code !== 0) throw new Error(moved.stderr.trim().split('\n').at(-1) ?? 'git mv failed');
  undo.push(async () => {
    const back = await runLocalGit(root, ['mv', '--', to, from], new AbortController().signal);
    if (back.code !== 0) throw new Error(back.stderr.trim());
  });
}

/** Removes folders that were created for the target, from the innermost out; only empty ones. */
async function removeEmpty(folder: string, outermost: string): Promise<void> {
  const { rmdir } = await import('node:fs/promises');
  for (let inner = folder; inner.startsWith(outermost); inner = path.dirname(inner)) await rmdir(inner);
}
