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
 * Checks as `checkTree` does, or returns the last run's result if nothing that it depends on has changed since: then
 * without the links that are ok. With a base, or with another configuration file, nothing is cached.
 */
export async function checkCached(
  input: CheckInput,
  opening: Promise<OpenPaths>,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
): Promise<Checked> {
  const { facts: location, base, config } = input;
  // Most runs start at the root. With an answer cached there, the checker itself may never be needed.
  if (location === null || !new CacheFile(io.cwd, 'answer', location).isThere)
    await import('./check-tree.ts');
  const opened = await opening;
  const { tree } = opened;
  const question =
    location === null || base !== null || config !== null ? null : digestQuestion(input, opened, io);
  const answers =
    location === null || question === null ? null : new CacheFile(tree.root, 'answer', location);
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

/** A digest of everything that an answer depends on except the program; null where it cannot be known. */
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

/** A body is the digest of the input, a line break and the answer as JSON. */
function recall(answers: CacheFile, question: string): CheckResult | null {
  const body = answers.read();
  if (body === null || body.toString('latin1', 0, question.length) !== question) return null;
  try {
    return JSON.parse(body.toString('utf8', question.length + 1));
  } catch {
    return null;
  }
}

/** Most links are ok, and only `--all` reports them. */
function storeAnswer(answers: CacheFile, question: string, result: CheckResult): void {
  const links = result.links.filter(({ status, warning }) => status !== 'ok' || warning !== null);
  const stored: CheckResult = { ...result, links, well: result.well + result.links.length - links.length };
  answers.write([Buffer.from(`${question}\n${JSON.stringify(stored)}`)]);
}

/** The same tree, with a record of whether all bytes read of it match its listing. */
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
