import { type Database, loadNames } from '../../store/index.ts';

/** Describes for people what jobs are about, by their payloads: repositories, spaces, addresses; empty if unknown. */
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
      .filter((word) => word !== null)
      .join(' '),
  );
}

/** The fields of a payload that people can recognize. */
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
