import Type, { type Static, type TStringOptions } from 'typebox';

/** An opaque, URL-safe id of at most 20 characters, made by the server. */
export const Id = Type.String({ description: 'Opaque and URL-safe, at most 20 characters.' });

/** A moment as the server writes it: UTC with milliseconds, `2026-11-20T08:00:00.000Z`. */
export const Moment = Type.String({ format: 'date-time' });

/** A moment as callers may write it: ISO 8601 with any offset. */
export const MomentInput = Formed(
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?(Z|[+-]\\d{2}(:?\\d{2})?)$',
  'must be a time with an offset, for example 2026-11-20T08:00:00Z or 2026-11-20T09:00:00+01:00',
  {
    description:
      'ISO 8601 with an offset, for example `2026-11-20T08:00:00Z` or `2026-11-20T09:00:00+01:00`.',
  },
);

export const Url = Type.String({ format: 'uri' });

export const GitOid = Type.String({ description: 'A git object id.' });

/**
 * A text of a form that a pattern describes. `rule` says the form in words and completes a sentence about the field
 * (“must be …”): messages never show a pattern.
 */
export function Formed(pattern: string, rule: string, options: TStringOptions = {}) {
  return Type.String({ ...options, pattern, 'x-rule': rule });
}

/** The rule of a text's form, in words; undefined for a schema without one. */
export function ruleOf(schema: unknown): string | undefined {
  return (schema as { 'x-rule'?: string } | undefined)?.['x-rule'];
}

/** The characters of a class that show nothing, as `isInvisible` of identity knows them. */
const invisible = '\\s\\p{Default_Ignorable_Code_Point}\\u2800';

/** A title or name that a person gives: one line, which is stored without the spaces around it, and can be seen. */
export function GivenName(options: TStringOptions) {
  return Formed(
    `^(?![${invisible}]*$)[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$`,
    'must be one line that is not blank',
    { ...options, 'x-trimmed': true },
  );
}

export const Title = GivenName({ maxLength: 256 });

/** Whether a text is stored without the spaces around it. */
export function isTrimmed(schema: unknown): boolean {
  return (schema as { 'x-trimmed'?: boolean } | undefined)?.['x-trimmed'] === true;
}

export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export const Role = Type.Enum([...roles], { type: 'string' });
export type Role = (typeof roles)[number];

/** The minimum role of members and guests in a space or collection; `inherit` takes that of the collection above. */
export const DefaultLevel = Type.Enum([...roles, 'inherit'], { type: 'string' });
export type DefaultLevel = Static<typeof DefaultLevel>;

/** A role, or null for a guest. */
export const RoleOrGuest = Type.Union([Role, Type.Null()]);
