import { isDeepStrictEqual } from 'node:util';
import { operations, type Translation, translationLanguages } from '../../client/index.ts';
import { parseConfig, type TranslationConfig } from '../../content/config/index.ts';
import { listBindings } from '../../store/bindings.ts';
import { loadRepository } from '../../store/repositories.ts';
import type { SyncDeps } from '../deps.ts';

/** A run that failed is begun anew after this time, and at once when the space or the configuration changed. */
const REST_MS = 60 * 60_000;

type Language = Translation['language'];
type Deps = Pick<SyncDeps, 'db' | 'client' | 'log' | 'now'>;

/** Makes the translations that the configuration names of a space, and runs those that are behind it. */
export async function followSpace(
  deps: Deps,
  { repositoryId, space: directory }: { readonly repositoryId: number; readonly space: string },
): Promise<void> {
  const repository = await loadRepository(deps.db, repositoryId);
  const parsed = parseConfig(repository?.configText ?? '');
  if (repository === null || repository.disconnected !== null || 'problems' in parsed) return;
  const bindings = await listBindings(deps.db, repositoryId);
  const binding = bindings.find((one) => one.directory === directory && one.spaceId && !one.disconnected);
  if (!binding?.spaceId) return;
  const space = await deps.client.call(operations.getSpace, { params: { spaceId: binding.spaceId } });
  const params = { organizationId: space.organization };
  const known: Translation[] = [];
  for await (const one of deps.client.paginate(operations.listTranslations, { params, query: {} })) {
    if (one.source.space === space.id) known.push(one);
  }
  for (const entry of parsed.config.translations.filter((one) => one.space === directory)) {
    for (const given of entry.languages) {
      const language = languageOf(given);
      if (language === null) {
        deps.log.warn({ repositoryId, directory, language: given }, 'The platform has no such language');
        continue;
      }
      const found =
        known.find((one) => one.language === language) ??
        (await deps.client.call(operations.createTranslation, {
          params,
          body: { source: sourceOf(space.id, entry), language, ...settingsOf(entry) },
        }));
      await keepGoing(deps, params.organizationId, { found, entry, revision: space.revision });
    }
  }
}

async function keepGoing(
  { client, now }: Deps,
  organizationId: string,
  {
    found,
    entry,
    revision,
  }: {
    readonly found: Translation;
    readonly entry: TranslationConfig;
    readonly revision: string | undefined;
  },
): Promise<void> {
  const params = { organizationId, translationId: found.id };
  const settings = settingsOf(entry);
  // What the configuration leaves open may be said through the API. A database keeps no order of fields.
  const isChanged =
    found.provider !== settings.provider ||
    (settings.instructions !== undefined && !isDeepStrictEqual(found.instructions, settings.instructions));
  if (isChanged) await client.call(operations.updateTranslation, { params, body: settings });
  const { status, stats, result, updatedAt } = found;
  const isUnderWay = status === 'running' || (status === 'pending' && stats.runs > 0);
  if (isUnderWay && !isChanged) return;
  const rests = status === 'failed' && now().getTime() - Date.parse(updatedAt) < REST_MS;
  const isBehind = result?.sourceRevision !== revision && !rests;
  if (isChanged || isBehind) await client.call(operations.runTranslation, { params });
}

/** The platform's name of a language; null where it has none. */
function languageOf(given: string): Language | null {
  const known: readonly string[] = translationLanguages;
  const lower = given.toLowerCase();
  const name = known.includes(lower) ? lower : (lower.split('-')[0] ?? '');
  return known.includes(name) ? (name as Language) : null;
}

function sourceOf(space: string, { from }: TranslationConfig) {
  const language = languageOf(from);
  return { space, ...(language === null ? {} : { language }) };
}

function settingsOf({ provider, instructions }: TranslationConfig) {
  return {
    provider,
    ...(instructions === undefined ? {} : { instructions: toDocument(instructions) }),
  };
}

function toDocument(text: string): NonNullable<Translation['instructions']> {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  const nodes = [{ object: 'text' as const, key: 'text', leaves }];
  return {
    object: 'document',
    data: { schemaVersion: 1 },
    nodes: [{ object: 'block', type: 'paragraph', key: 'instructions', nodes }],
  };
}
