import Type, { type Static } from 'typebox';

interface ErrorRow {
  /** The HTTP status, which is also `error.code`. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 415 | 416 | 429 | 431 | 500 | 503;
  /** What it means, in one sentence for people; Markdown. */
  readonly meaning: string;
}

/** Every error of the API, by its stable `error.reason`. */
const table = {
  'invalid-request': {
    status: 400,
    meaning: 'A parameter, the query or the body is not as described; `details` names each field.',
  },
  'malformed-json': { status: 400, meaning: 'The body is not valid JSON.' },
  'malformed-request': {
    status: 400,
    meaning: 'The address, or the whole request, is malformed, so it reached no operation.',
  },
  'position-invalid': {
    status: 400,
    meaning: '`position` names nothing with the same parent, or two siblings that are not adjacent.',
  },
  'token-missing': { status: 401, meaning: 'The request has no token.' },
  'token-unknown': { status: 401, meaning: 'The token is unknown or was revoked.' },
  'token-expired': { status: 401, meaning: 'The token has expired; the message says since when.' },
  'role-too-low': {
    status: 403,
    meaning: 'The role of the caller, or of the token, does not allow this; the message names both roles.',
  },
  'sso-required': {
    status: 403,
    meaning: 'The organization takes only its own single sign-on, which these credentials have not passed.',
  },
  'token-bound': { status: 403, meaning: 'The token is bound to one organization.' },
  'beyond-own-rights': {
    status: 403,
    meaning: 'Nobody gives more than they have: a role, an organization or a time beyond the caller’s own.',
  },
  'invite-for-another-address': {
    status: 403,
    meaning: 'The invitation is for another address, or the caller has not confirmed theirs.',
  },
  'invite-links-off': { status: 403, meaning: 'The organization allows no invite links (`inviteLinks`).' },
  'space-locked': { status: 403, meaning: 'The space is locked against edits (`editMode`).' },
  'merge-rules-unmet': {
    status: 403,
    meaning: 'The merge rules of the space or its organization do not allow this merge.',
  },
  'not-own-comment': {
    status: 403,
    meaning: 'Only its author, and those who may edit the space, may change or delete this comment or reply.',
  },
  'own-change': {
    status: 403,
    meaning: 'Nobody approves a change request that they created, or whose content they changed.',
  },
  'not-found': { status: 404, meaning: 'It does not exist, or is not visible to the caller.' },
  'bytes-not-stored': {
    status: 404,
    meaning:
      'The bytes of the file are not stored: it is larger than 100 MB, or they were lost and its repository does not have them.',
  },
  'template-unknown': {
    status: 404,
    meaning: 'There is no such template; the message lists the available ones.',
  },
  'method-not-allowed': {
    status: 405,
    meaning: 'The path has no operation with this method; `Allow` lists the methods that it has.',
  },
  'request-timeout': { status: 408, meaning: 'The request did not arrive in time.' },
  'nothing-to-change': { status: 409, meaning: 'Everything is already as requested.' },
  conflict: {
    status: 409,
    meaning: 'The space and the change request changed the same files; `details` names them.',
  },
  'content-moved': {
    status: 409,
    meaning: 'The same content was changed at the same time by another request; try again.',
  },
  'being-written': {
    status: 409,
    meaning:
      'A change request for this cluster of issues is a draft or open; send `another` where a second one is wanted.',
  },
  'already-merged': { status: 409, meaning: 'The change request was merged, so it cannot be changed.' },
  archived: { status: 409, meaning: 'The change request is archived, so its content cannot be changed.' },
  'file-changed': {
    status: 409,
    meaning: 'The file is not the one that the change expects; read it again and change that.',
  },
  'path-taken': { status: 409, meaning: 'There is already a file or folder at the target of the move.' },
  'slug-taken': { status: 409, meaning: 'The organization already uses this slug for something else.' },
  'hostname-taken': { status: 409, meaning: 'Another organization, or another site, has this hostname.' },
  'address-taken': {
    status: 409,
    meaning: 'Another site, section, site-space or page has this address already; the message names it.',
  },
  'limit-reached': { status: 409, meaning: 'There may be no more of these; the message says how many.' },
  'last-provider': {
    status: 409,
    meaning:
      'The organization, or a member, takes only single sign-on and would have no provider that works.',
  },
  'sso-not-ready': {
    status: 409,
    meaning:
      'Only single sign-on would be taken, but no provider works yet, or the caller or the last administrator could not get in.',
  },
  'domain-not-proved': {
    status: 409,
    meaning: 'The DNS does not have the record that proves the e-mail domain; the message names it.',
  },
  'must-be-invited': {
    status: 409,
    meaning: 'The address is not one that the organization may add directly; send an invitation.',
  },
  'team-provisioned': {
    status: 409,
    meaning: 'An identity provider keeps the title and the members of the team; change the group there.',
  },
  'last-administrator': { status: 409, meaning: 'The organization would have no administrator.' },
  'git-operation-open': {
    status: 412,
    meaning: 'An import or export is waiting or running in a space that would be transferred.',
  },
  'not-administrator-of-all': {
    status: 412,
    meaning: 'The caller does not administer everything that would be transferred.',
  },
  'body-too-large': { status: 413, meaning: 'The body is larger than this operation accepts.' },
  'not-json': { status: 415, meaning: 'The body is not sent as `application/json`.' },
  'range-not-satisfiable': { status: 416, meaning: 'The range begins after the end of the file.' },
  'too-many-requests': { status: 429, meaning: 'Too many requests; `Retry-After` says when to try again.' },
  'headers-too-large': { status: 431, meaning: 'The headers or the address of the request are too long.' },
  'internal-error': {
    status: 500,
    meaning: 'An internal error; the message names the request id to search the log for.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The database does not answer, the disk is full, too much arrives at once, or bytes were lost and are fetched again; `Retry-After` says when to try again.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorReason = keyof typeof table;

export const errorReasons: Readonly<Record<ErrorReason, ErrorRow>> = table;

/** The errors of requests that reach no operation. */
export const errorsOutsideOperations: readonly ErrorReason[] = [
  'malformed-request',
  'method-not-allowed',
  'request-timeout',
  'headers-too-large',
];

/** The errors that follow from an operation's input, so that no operation declares them itself. */
export function errorsOfInput(input: {
  readonly isOpen: boolean;
  readonly hasParams: boolean;
  readonly hasBody: boolean;
}): ErrorReason[] {
  return [
    // Also without parameters: unknown fields of a query or body are rejected.
    'invalid-request',
    ...(input.hasBody ? (['malformed-json', 'body-too-large', 'not-json'] as const) : []),
    ...(input.isOpen ? [] : (['token-missing', 'token-unknown', 'token-expired'] as const)),
    ...(input.hasParams ? (['not-found'] as const) : []),
    ...(input.hasParams && !input.isOpen ? (['sso-required'] as const) : []),
    'too-many-requests',
    'internal-error',
    'unavailable',
  ];
}

/** The errors as a Markdown table, for `docs/api.md`; a test compares the page with it. */
export function listErrors(): string {
  return [
    '| `reason` | `code` | Meaning |',
    '| --- | --- | --- |',
    ...Object.entries(errorReasons).map(
      ([reason, { status, meaning }]) => `| \`${reason}\` | ${status} | ${meaning} |`,
    ),
  ].join('\n');
}

/** The body of every response with a status of 400 or above. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      reason: Type.String({ description: 'The kind of error: a stable word, for example `slug-taken`.' }),
      message: Type.String({ description: 'One sentence that names the field or the thing.' }),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'A JSON pointer into the request, for example `/body/title`.' }),
            message: Type.String(),
          }),
        ),
      ),
    }),
  },
  { $id: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
