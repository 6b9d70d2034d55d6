import { type AttributePath, parseAttributePath } from './attribute-path.ts';
import {
  fieldOf,
  type PatchOperation,
  readFields,
  readLine,
  readList,
  readOperations,
  readOptionalLine,
} from './read-body.ts';
import { invalidValue, ScimError } from './scim-error.ts';

/** The most members that a group has, and that one request names. */
export const MAX_GROUP_MEMBERS = 20_000;

/** How a provider wants a group to change. */
export interface GroupChange {
  readonly displayName: string | undefined;
  /** Undefined leaves it as it is. */
  readonly externalId: string | null | undefined;
  readonly members: {
    /** Whether nobody stays but those who are added. */
    readonly replaced: boolean;
    readonly added: ReadonlySet<string>;
    readonly removed: ReadonlySet<string>;
  };
}

/** The group of a POST or PUT: all that it does not say is gone. @throws ScimError */
export function readGroup(body: unknown): GroupChange & { readonly displayName: string } {
  const fields = readFields(body, 'The body');
  const builder = new GroupChangeBuilder();
  builder.apply({ op: 'replace', path: 'members', value: fieldOf(fields, 'members') ?? [] });
  return {
    ...builder.result(),
    displayName: readLine(fieldOf(fields, 'displayName'), 'displayName'),
    externalId: readOptionalLine(fieldOf(fields, 'externalId'), 'externalId'),
  };
}

/** @throws ScimError */
export function readGroupPatch(body: unknown): GroupChange {
  const builder = new GroupChangeBuilder();
  for (const operation of readOperations(body)) builder.apply(operation);
  return builder.result();
}

/** Takes operation after operation, each in time that follows from its own size alone. */
class GroupChangeBuilder {
  #displayName: string | undefined;
  #externalId: string | null | undefined;
  #replaced = false;
  #named = 0;
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();

  apply({ op, path, value }: PatchOperation): void {
    if (path !== null) {
      this.#assign(parseAttributePath(path), op, value);
      return;
    }
    const fields = readFields(value, 'The value of an operation without a path');
    for (const [name, part] of Object.entries(fields)) this.#assign(parseAttributePath(name), op, part);
  }

  result(): GroupChange {
    return {
      displayName: this.#displayName,
      externalId: this.#externalId,
      members: { replaced: this.#replaced, added: this.#added, removed: this.#removed },
    };
  }

  #assign(path: AttributePath, op: PatchOperation['op'], value: unknown): void {
    if (path.attribute === 'displayname')
      this.#displayName = readLine(op === 'remove' ? null : value, 'displayName');
    else if (path.attribute === 'externalid')
      this.#externalId = op === 'remove' ? null : readOptionalLine(value, 'externalId');
    else if (path.attribute === 'members') this.#assignMembers(path, op, value);
  }

  #assignMembers({ filter, part }: AttributePath, op: PatchOperation['op'], value: unknown): void {
    if (filter !== null) {
      if (
        op !== 'remove' ||
        filter.attribute !== 'value' ||
        part !== null ||
        typeof filter.value !== 'string'
      )
        throw new ScimError(400, 'invalidPath', 'Members with a filter can only be removed, by their value.');
      this.#count(1);
      this.#remove(filter.value);
      return;
    }
    const ids = readList(value, 'members', MAX_GROUP_MEMBERS).map(readMember);
    this.#count(ids.length);
    if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) {
      this.#replaced = true;
      this.#added.clear();
      this.#removed.clear();
    }
    for (const id of ids) {
      if (op === 'remove') this.#remove(id);
      else {
        this.#removed.delete(id);
        this.#added.add(id);
      }
    }
  }

  #remove(id: string): void {
    this.#added.delete(id);
    this.#removed.add(id);
  }

  #count(more: number): void {
    this.#named += more;
    if (this.#named > MAX_GROUP_MEMBERS)
      throw new ScimError(
        413,
        null,
        `A request must name at most ${MAX_GROUP_MEMBERS} members; send several.`,
      );
  }
}

function readMember(sent: unknown): string {
  const value = typeof sent === 'string' ? sent : fieldOf(readFields(sent, 'A member'), 'value');
  if (typeof value !== 'string' || value === '' || value.length > 64 || value.includes('\0'))
    throw invalidValue('The value of a member', 'must be the id of a user');
  return value;
}
