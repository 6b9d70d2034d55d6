import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { runGit } from '../check/run-git.ts';
import { openText, replaceText } from '../check/text-file.ts';
import { UsageError } from '../command.ts';
import type { Move } from './open-move.ts';
import type { MovePlan } from './plan-move.ts';

/** Moves the files, with git where it tracks them, then writes the links. Answers what could not be written, and why. */
export async function carryOut(move: Move, plan: MovePlan, signal: AbortSignal): Promise<readonly string[]> {
  const { root } = move.tree;
  for (const [file, { before }] of plan.texts) {
    const old =
      file === move.to || file.startsWith(`${move.to}/`) ? move.from + file.slice(move.to.length) : file;
    if ((await openText(path.join(root, old)))?.source !== before) {
      throw new UsageError(
        `${old} is not UTF-8 or was changed in the meantime, so nothing was moved. Try again.`,
      );
    }
  }
  await moveFiles(move, signal);
  const problems: string[] = [];
  for (const [file, { after }] of plan.texts) {
    const text = await openText(path.join(root, file));
    const problem = text === null ? 'the file cannot be read' : await replaceText(text, after);
    if (problem !== null) problems.push(`${file}  its links were not rewritten: ${problem}`);
  }
  return problems;
}

async function moveFiles({ tree, from, to }: Move, signal: AbortSignal): Promise<void> {
  const { root } = tree;
  const [source, target] = [path.join(root, from), path.join(root, to)];
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const known = tree.isGit
      ? await runGit(root, ['--literal-pathspecs', 'ls-files', '-z', '--', from], signal)
      : null;
    if (known !== null && known.stdout !== '') {
      const moved = await runGit(root, ['mv', '--', from, to], signal);
      if (moved.code === 0) return;
      throw new Error(moved.stderr.trim().split('\n').at(-1));
    }
    await rename(source, target);
  } catch (error) {
    throw new UsageError(
      `${from} could not be moved: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
