import { type Database, loadRepository, recordConfigError, saveConfig } from '../../store/index.ts';
import type { Octokit, Repository } from '../api/index.ts';

import { postConfigCheck } from './config-check.ts';
import { interpretConfig, NO_CONFIG, readRepositoryConfig, type ValidConfig } from './repository-config.ts';

/** The configuration that a repository is synced by, and the previous one. */
export interface ConfigInForce extends ValidConfig {
  /** Whether it differs from `before`. */
  readonly changed: boolean;
  /** The previous configuration; null when there was none. */
  readonly before: ValidConfig | null;
}

/**
 * Reads the configuration at the default branch's tip and puts it in force. A mistake is reported on the commit,
 * and the last valid one stays in force; null when there never was one.
 */
export async function putConfigInForce(
  db: Database,
  octokit: Octokit,
  repository: Repository,
  tip: string,
): Promise<ConfigInForce | null> {
  const read = await readRepositoryConfig(octokit, repository, tip);
  const known = await loadRepository(db, repository.id);
  const before = known?.configOid ?? null;
  if ('problems' in read) {
    const [first] = read.problems;
    const where = first?.line == null ? '' : `Line ${first.line}: `;
    await recordConfigError(db, repository.id, `${where}${first?.message ?? 'It cannot be read.'}`);
    await postConfigCheck(octokit, repository, tip, { problems: read.problems, inForce: before });
    const inForce = configInForce(known);
    return inForce === null ? null : { ...inForce, changed: false, before: inForce };
  }
  const changed = before === null || known?.configText !== read.text;
  const wasWrong = known?.configError != null;
  if (changed || wasWrong) {
    // Nothing is posted about a file that is older than the App's installation.
    if (read.text !== null && (before !== null || wasWrong))
      await postConfigCheck(octokit, repository, tip, { problems: [], inForce: tip });
    await saveConfig(db, repository.id, { text: read.text, oid: tip });
  }
  return { ...read, changed, before: configInForce(known) };
}

/** The stored configuration in force; null when there never was one, or this version of Docloom does not accept it any more. */
export function configInForce(
  known: { readonly configText: string | null; readonly configOid: string | null } | null,
): ValidConfig | null {
  if (known === null || known.configOid === null) return null;
  if (known.configText === null) return NO_CONFIG;
  const read = interpretConfig(known.configText);
  return 'problems' in read ? null : read;
}
