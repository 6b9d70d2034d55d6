import { operations, PlatformError } from '../../client/index.ts';
import { languageOf, parseConfig } from '../../config/index.ts';
import { explainError } from '../../github/index.ts';
import {
  claimRepositoryTranslation,
  listBindings,
  loadRepository,
  saveRepositoryTranslation,
} from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { type ReadGlossary, readGlossary } from './read-glossary.ts';
import { syncTranslation, type TranslatedSpace } from './sync-translation.ts';
import { firstLanguage } from './translate-job.ts';

type Deps = Pick<SyncDeps, 'db' | 'client' | 'access' | 'log' | 'now'>;

/**
 * Creates the translations of a space that the configuration names, and runs those that are behind it. An error is saved
 * with its translation, and does not stop the others.
 *
 * @throws when something must be retried
 */
export async function syncSpaceTranslations(
  deps: Deps,
  {
    repositoryId,
    space: directory,
    scheduled,
  }: { readonly repositoryId: number; readonly space: string; readonly scheduled?: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, client, log } = deps;
  const repository = await loadRepository(db, repositoryId);
  const parsed = parseConfig(repository?.configText ?? '');
  if (repository === null || repository.disconnected !== null || 'problems' in parsed) return;
  const entries = parsed.config.translations.filter(({ space }) => space === directory);
  const bindings = (await listBindings(db, repositoryId)).filter(
    (binding) => binding.directory === directory && binding.spaceId !== null && binding.disconnected === null,
  );
  const binding = bindings.find(({ branch }) => branch === repository.defaultBranch) ?? bindings[0];
  if (entries.length === 0 || !binding?.spaceId) return;
  const found = await client.call(operations.getSpace, { params: { spaceId: binding.spaceId } });
  const space: TranslatedSpace = { id: found.id, organization: found.organization, revision: found.revision };
  // An entry of several languages reads its file once.
  const glossaries = new Map<string, Promise<ReadGlossary>>();
  const failures: unknown[] = [];
  for (const entry of entries) {
    for (const language of entry.languages.map(languageOf)) {
      const key = { repositoryId, directory, language };
      const row = await claimRepositoryTranslation(db, { ...key, organizationId: space.organization });
      try {
        await syncTranslation(deps, space, {
          row,
          entry,
          language,
          isScheduled: scheduled === firstLanguage(entry),
          commitOid: binding.liveOid,
          readGlossary(path, commitOid) {
            const wasInvalid = row.invalidGlossaryFrom !== null;
            const reading =
              glossaries.get(path) ??
              readGlossary(
                deps,
                binding,
                { glossary: path, line: entry.line },
                { commitOid, wasInvalid, signal },
              );
            glossaries.set(path, reading);
            return reading;
          },
        });
      } catch (error) {
        await saveRepositoryTranslation(db, key, { error: explainError(error) });
        log.warn(
          { err: error, repositoryId, directory, language },
          'A translation could not be synced with its space',
        );
        if (!(error instanceof PlatformError) || error.retryable) failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}
