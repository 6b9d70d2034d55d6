import { Type } from 'typebox';
import { defineJob } from '../../queue/index.ts';

/**
 * Creates the previews of a pull request's head after its verdict was reported, as a separate job, so that no check and no
 * button ever waits for an import.
 */
export const previewJob = defineJob({
  name: 'github.preview',
  payload: Type.Object({
    installationId: Type.Integer(),
    repositoryId: Type.Integer(),
    /** `owner/name` as last seen. */
    fullName: Type.String(),
    number: Type.Integer(),
    /** The commit that was checked: a newer head gets its own previews. */
    headOid: Type.String(),
    reportId: Type.String(),
    /** The bindings whose directories the pull request touches. */
    bindingIds: Type.Array(Type.String()),
  }),
  retryLimit: 4,
  retryDelay: 5,
  retryDelayMax: 300,
  expireInSeconds: 900,
  key: ({ repositoryId, number }) => `${repositoryId}/${number}`,
  concurrency: 2,
});
