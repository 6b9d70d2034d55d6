import type { Translation } from '../../contract/index.ts';
import type { StoredGlossaryEntry, TranslationProblem, TranslationRow } from '../../store/index.ts';
import { type EffectiveRole, permissionsOf, translationRights } from '../access/roles.ts';

const noInstructions: Translation['instructions'] = {
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [],
};

export function presentTranslation(
  row: TranslationRow,
  effectiveRole: EffectiveRole,
  publicUrl: string,
): Translation {
  const problems = row.problems as { count: number; items: TranslationProblem[] };
  return {
    object: 'translation',
    id: row.id,
    status: row.status as Translation['status'],
    ...(row.error === null ? {} : { error: row.error }),
    source: {
      space: row.sourceSpaceId,
      language: (row.sourceLanguage ?? 'en') as Translation['language'],
    },
    language: row.language as Translation['language'],
    provider: row.provider as Translation['provider'],
    instructions: (row.instructions as Translation['instructions'] | null) ?? noInstructions,
    glossary: row.glossary as StoredGlossaryEntry[],
    ...(row.resultSpaceId === null || row.resultRevisionId === null
      ? {}
      : {
          result: {
            space: row.resultSpaceId,
            revision: row.resultRevisionId,
            ...(row.writtenFromId === null ? {} : { sourceRevision: row.writtenFromId }),
          },
        }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    stats: {
      runs: row.runs,
      totalWords: row.totalWords,
      totalPages: row.totalPages,
      totalDuration: row.totalDuration,
      latestRunDuration: row.latestRunDuration,
      latestPages: row.latestPages,
      latestWords: row.latestWords,
      totalRequests: row.totalRequests,
      latestRequests: row.latestRequests,
      untranslated: problems.count,
    },
    problems: problems.items,
    permissions: permissionsOf(translationRights, effectiveRole),
    urls: { location: `${publicUrl}/v1/orgs/${row.organizationId}/translations/${row.id}` },
  };
}
