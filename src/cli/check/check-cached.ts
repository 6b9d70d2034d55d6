import { createHash } from 'node:crypto';
import { hashOf, objectOid } from '../../git/index.ts';
import type { CommandIo } from '../command.ts';
import { CacheFile } from './cache-file.ts';
import type { CheckResult } from './check-result.ts';
import type { Checked, CheckInput } from './check-tree.ts';
import type { OpenPaths } from './open-paths.ts';
import { isOwnOid } from './own-oid.ts';
import { repositoryAddress } from './repository-address.ts';
import type { WorkTree } from './work-tree.ts';

/**
 * Checks as `checkTree` does, or answers what the last run found where nothing that it depends on has changed since: then
 * without the links that are ok. With a base, and with a configuration from elsewhere, nothing is kept.
 */
export async function checkCached(
  input: CheckInput,
  opening: Promise<OpenPaths>,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
): Promise<Checked> {
  const { facts: place, base, config } = input;
  // Most runs start at the root. Where they have an answer there, what finds one may never be needed.
  if (place === null || !new CacheFile(io.cwd, 'answer', place).isThere) await import('./check-tree.ts');
  const opened = await opening;
  const { tree } = opened;
  const question =
    place === null || base !== null || config !== null ? null : digestQuestion(input, opened, io);
  const answers = place === null || question === null ? null : new CacheFile(tree.root, 'answer', place);
  const recalled = answers === null || question === null ? null : recall(answers, question);
  if (recalled !== null) return { result: recalled, save() {} };
  const { checkWorkTree } = await import('./check-tree.ts');
  if (answers === null || question === null) return await checkWorkTree(input, opening, io);
  const watched = watchReads(tree);
  const checked = await checkWorkTree(input, Promise.resolve({ ...opened, tree: watched.tree }), io);
  return {
    result: checked.result,
    save() {
      checked.save();
      if (watched.wereAsListed) storeAnswer(answers, question, checked.result);
    },
  };
}

/** All that an answer depends on but the program, as a digest; null where that cannot be told. */
function digestQuestion(
  { today }: CheckInput,
  { tree, wanted }: OpenPaths,
  { env }: Pick<CommandIo, 'env'>,
): string | null {
  const { root, isGit, origin, signature, problems } = tree;
  if (signature === null) return null;
  const address = repositoryAddress(origin, env, null);
  const rest = JSON.stringify([root, isGit, wanted, today, address, problems]);
  return createHash('sha256').update(rest).update('\0').update(signature).digest('hex');
}

/** A body is the question, a line's end and the answer as JSON. */
function recall(answers: CacheFile, question: string): CheckResult | null {
  const body = answers.read();
  if (body === null || body.toString('latin1', 0, question.length) !== question) return null;
  try {
    return JSON.parse(body.toString('utf8', question.length + 1));
  } catch {
    return null;
  }
}

/** Links that are ok are most, and are told to those alone who ask for all. */
function storeAnswer(answers: CacheFile, question: string, result: CheckResult): void {
  const links = result.links.filter(({ status, warning }) => status !== 'ok' || warning !== null);
  const stored: CheckResult = { ...result, links, well: result.well + result.links.length - links.length };
  answers.write([Buffer.from(`${question}\n${JSON.stringify(stored)}`)]);
}

/** The same tree, and whether all bytes that were read of it are those that it was listed with. */
function watchReads(tree: WorkTree): { readonly tree: WorkTree; readonly wereAsListed: boolean } {
  const watched = {
    wereAsListed: true,
    tree: {
      ...tree,
      async read(entry: Parameters<WorkTree['read']>[0]) {
        const bytes = await tree.read(entry);
        const isListed =
          bytes !== null && !isOwnOid(entry.oid) && objectOid('blob', bytes, hashOf(entry.oid)) === entry.oid;
        if (!isListed) watched.wereAsListed = false;
        return bytes;
      },
    },
  };
  return watched;
}
