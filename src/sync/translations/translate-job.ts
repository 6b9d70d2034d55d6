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

/** The name of an entry's schedule among those of its repository; two entries of a space differ in their first language. */
export function scheduleName({ space, languages }: Pick<TranslationConfig, 'space' | 'languages'>): string {
  // A folder's name may contain characters that a key may not.
  return `${Buffer.from(space).toString('base64url').slice(0, 150)}.${firstLanguage({ languages })}`;
}

export function firstLanguage({ languages: [first = ''] }: Pick<TranslationConfig, 'languages'>): string {
  return languageOf(first);
}
