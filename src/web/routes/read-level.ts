import { type Collection, roles } from '../../client/index.ts';
import { UnusableInput } from './in-organization.ts';

/** The level of all members that somebody chose in a form. @throws {UnusableInput} */
export function readLevel(text: string): Collection['defaultLevel'] {
  if (text === 'inherit') return text;
  const role = roles.find((known) => known === text);
  if (role === undefined) throw new UnusableInput('Choose a level from the list.');
  return role;
}
