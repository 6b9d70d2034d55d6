import { isMailAddress } from '../../identity/index.ts';
import { type AttributePath, parseAttributePath } from './attribute-path.ts';
import {
  fieldOf,
  type PatchOperation,
  readFields,
  readFlag,
  readLine,
  readList,
  readOperations,
  readOptionalLine,
} from './read-body.ts';
import { invalidValue, ScimError } from './scim-error.ts';

export interface ProvisionedEmail {
  readonly value: string;
  readonly type?: string;
  readonly primary?: boolean;
}

/** What a provider sends of a person besides their name there, and reads again as it sent it. */
export interface ProvisionedProfile {
  readonly displayName?: string;
  readonly name?: { readonly givenName?: string; readonly familyName?: string; readonly formatted?: string };
  readonly emails?: readonly ProvisionedEmail[];
}

/** A user as a provider wants them. */
export interface UserDraft {
  readonly userName: string;
  readonly externalId: string | null;
  /** Undefined unless the request says so. */
  readonly active: boolean | undefined;
  readonly profile: ProvisionedProfile;
}

const MAX_EMAILS = 20;

const EMPTY: UserDraft = { userName: '', externalId: null, active: undefined, profile: {} };

/** The user of a POST or PUT. Attributes that Docloom has no use for are left out. @throws ScimError */
export function readUser(body: unknown): UserDraft {
  const draft = change(EMPTY, { op: 'replace', path: null, value: readFields(body, 'The body') });
  if (draft.userName === '') throw invalidValue('userName', 'must be a text');
  return draft;
}

/** The user after a PATCH. @throws ScimError */
export function patchUser(user: Omit<UserDraft, 'active'>, body: unknown): UserDraft {
  return readOperations(body).reduce(change, { ...user, active: undefined });
}

/** The address of somebody, in lower case: the primary one, that for work, the first, or the userName; null for none. */
export function addressOf({ userName, profile }: Pick<UserDraft, 'userName' | 'profile'>): string | null {
  const { emails = [] } = profile;
  const chosen =
    emails.find(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work') ?? emails[0];
  const text = chosen?.value ?? userName;
  return isMailAddress(text) ? text.toLowerCase() : null;
}

/** What somebody is called; null when the provider does not say. */
export function nameOf({ displayName, name = {} }: ProvisionedProfile): string | null {
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined).join(' ');
  return displayName ?? name.formatted ?? (parts === '' ? null : parts);
}

function change(draft: UserDraft, { op, path, value }: PatchOperation): UserDraft {
  if (path !== null) return assign(draft, parseAttributePath(path), op, value);
  return Object.entries(readFields(value, 'The value of an operation without a path')).reduce(
    (changed, [name, part]) => assign(changed, parseAttributePath(name), op, part),
    draft,
  );
}

function assign(draft: UserDraft, path: AttributePath, op: PatchOperation['op'], sent: unknown): UserDraft {
  const value = op === 'remove' ? null : sent;
  const { profile } = draft;
  switch (path.attribute) {
    case 'username':
      return { ...draft, userName: readLine(value, 'userName') };
    case 'externalid':
      return { ...draft, externalId: readOptionalLine(value, 'externalId') };
    case 'active':
      if (op === 'remove') throw new ScimError(400, 'mutability', 'active cannot be removed.');
      return { ...draft, active: readFlag(value, 'active') };
    case 'displayname':
      return { ...draft, profile: withText(profile, 'displayName', readOptionalLine(value, 'displayName')) };
    case 'name':
      return { ...draft, profile: { ...profile, name: changeName(profile.name ?? {}, path.part, value) } };
    case 'emails':
      return {
        ...draft,
        profile: { ...profile, emails: changeEmails(profile.emails ?? [], path, op, sent) },
      };
    default:
      return draft;
  }
}

const NAME_PARTS = ['givenName', 'familyName', 'formatted'] as const;
type Name = NonNullable<ProvisionedProfile['name']>;

function changeName(name: Name, part: string | null, value: unknown): Name {
  if (part !== null) {
    const known = NAME_PARTS.find((one) => one.toLowerCase() === part);
    return known === undefined ? name : withText(name, known, readOptionalLine(value, `name.${known}`));
  }
  if (value === null || value === undefined) return {};
  const fields = readFields(value, 'name');
  return NAME_PARTS.reduce<Name>((changed, one) => {
    const sent = fieldOf(fields, one);
    return sent === undefined ? changed : withText(changed, one, readOptionalLine(sent, `name.${one}`));
  }, name);
}

function changeEmails(
  emails: readonly ProvisionedEmail[],
  { filter, part }: AttributePath,
  op: PatchOperation['op'],
  value: unknown,
): readonly ProvisionedEmail[] {
  if (filter === null && part === null) {
    const sent =
      op === 'remove' && value === undefined ? [] : readList(value, 'emails', MAX_EMAILS).map(readEmail);
    if (op === 'replace') return sent;
    const others = emails.filter((one) => !sent.some((other) => isSame(one, other)));
    if (op === 'remove') return value === undefined ? [] : others;
    return bounded([...others, ...sent]);
  }
  const picks = (one: ProvisionedEmail, index: number) =>
    filter === null ? index === 0 : fieldOfEmail(one, filter.attribute) === filter.value;
  if (op === 'remove') return emails.filter((one, index) => !picks(one, index));
  const changes = part === null ? readFields(value, 'An e-mail address') : { [part]: value };
  // Entra sets the address of a type that nobody had so far.
  const all = emails.some(picks) ? emails : [...emails, { value: '', ...newEmail(filter) }];
  return bounded(
    all.map((one, index) => (picks(one, index) ? readEmail({ ...one, ...lowerKeys(changes) }) : one)),
  );
}

function newEmail(filter: AttributePath['filter']): Partial<ProvisionedEmail> {
  if (filter === null) return {};
  if (filter.attribute === 'type' && typeof filter.value === 'string') return { type: filter.value };
  if (filter.attribute === 'primary' && filter.value === true) return { primary: true };
  throw new ScimError(
    400,
    'noTarget',
    `The user has no e-mail address whose ${filter.attribute} is ${filter.value}.`,
  );
}

function readEmail(sent: unknown): ProvisionedEmail {
  const fields = typeof sent === 'string' ? { value: sent } : readFields(sent, 'An e-mail address');
  const value = readLine(fieldOf(fields, 'value'), 'The value of an e-mail address');
  if (!isMailAddress(value))
    throw invalidValue('The value of an e-mail address', 'must be an e-mail address');
  const type = readOptionalLine(fieldOf(fields, 'type'), 'The type of an e-mail address');
  const primary = fieldOf(fields, 'primary') ?? null;
  return {
    value,
    ...(type === null ? {} : { type }),
    ...(primary === null ? {} : { primary: readFlag(primary, 'primary') }),
  };
}

function bounded(emails: readonly ProvisionedEmail[]): readonly ProvisionedEmail[] {
  return readList(emails, 'emails', MAX_EMAILS) as readonly ProvisionedEmail[];
}

function fieldOfEmail(email: ProvisionedEmail, attribute: string): unknown {
  return attribute === 'primary' ? email.primary === true : email[attribute as 'value' | 'type'];
}

function isSame(one: ProvisionedEmail, other: ProvisionedEmail): boolean {
  return one.value.toLowerCase() === other.value.toLowerCase() && one.type === other.type;
}

function lowerKeys(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}

function withText<T extends object>(fields: T, name: keyof T & string, value: string | null): T {
  const { [name]: _before, ...others } = fields;
  return (value === null ? others : { ...others, [name]: value }) as T;
}
