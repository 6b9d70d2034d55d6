import { PlatformError } from '../../client/index.ts';
import { readText } from './read-text.ts';

/**
 * The id of a thing in a form or query.
 *
 * @throws PlatformError 404 for a text that is no id, as for the id of nothing
 */
export function readId(values: unknown, name: string): string {
  const id = readText(values, name, 100);
  if (!/^[\w-]{1,100}$/.test(id))
    throw new PlatformError(404, `The field ${name} is not an id.`, { requestId: null });
  return id;
}
