import { Type } from 'typebox';
import { languageOf, type TranslationConfig } from '../../config/index.ts';
import { defineJob } from '../../queue/index.ts';

/** Brings the translations of one of a repository's spaces up to date. */
export const translateJob = defineJob({
  name: 'sync.translate',
  payload: Type.Object({
    repositoryId: Type.Integer(),
    space: Type.String(),
    /** The first language of the entry whose schedule is due. */
    scheduled: Type.Optional(Type.String()),
  }),
  retryLimit: 5,
  retryDelay: 10,
  retryDelayMax: 600,
  expireInSeconds: 300,
  concurrency: 2,
  key: ({ repositoryId, space }) => `${repositoryId}/${space}`,
});

/** The language by which an entry's schedule is known. */
export function firstLanguage({ languages: [first = ''] }: Pick<TranslationConfig, 'languages'>): string {
  return languageOf(first);
}
