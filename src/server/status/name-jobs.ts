import { type Database, loadNames } from '../../store/index.ts';

/** What jobs are about as people call it, by their payloads: repositories, spaces, addresses; empty where that is not known. */
export async function nameJobs(db: Database, payloads: readonly unknown[]): Promise<readonly string[]> {
  const fields = payloads.map(readAbout);
  const names = await loadNames(db, {
    repositories: fields.flatMap(({ repositoryId }) => (repositoryId === null ? [] : [repositoryId])),
    bindings: fields.flatMap(({ bindingId }) => (bindingId === null ? [] : [bindingId])),
    spaces: fields.flatMap(({ spaceId }) => (spaceId === null ? [] : [spaceId])),
  });
  return fields.map(({ repositoryId, bindingId, spaceId, part, subject, pull, url }) =>
    [
      repositoryId === null ? null : (names.repositories.get(repositoryId) ?? `repository ${repositoryId}`),
      bindingId === null ? null : (names.bindings.get(bindingId) ?? bindingId),
      spaceId === null ? null : (names.spaces.get(spaceId) ?? `space ${spaceId}`),
      part,
      subject,
      pull,
      url,
    ]
      .filter((one) => one !== null)
      .join(' '),
  );
}

/** What people know a job by, of all that it may carry. */
function readAbout(payload: unknown) {
  const { repositoryId, bindingId, spaceId, name, space, subject, number, url } = (payload ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : null);
  return {
    repositoryId: typeof repositoryId === 'number' ? repositoryId : null,
    bindingId: text(bindingId),
    spaceId: text(spaceId),
    /** A specification, or the directory of a space. */
    part: text(name ?? space),
    subject: text(subject),
    pull: typeof number === 'number' ? `pull/${number}` : null,
    url: text(url),
  };
}
