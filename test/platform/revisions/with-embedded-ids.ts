/**
 * An answer with the ids of the organizations and spaces that its references embed: these are embedded as they are now, also
 * in answers about an older revision.
 */
export function withEmbeddedIds(answer: unknown): unknown {
  const idOf = (key: string, value: unknown) =>
    (key === 'organization' || key === 'space') &&
    typeof value === 'object' &&
    value !== null &&
    'id' in value
      ? value.id
      : value;
  return JSON.parse(JSON.stringify(answer, idOf));
}
