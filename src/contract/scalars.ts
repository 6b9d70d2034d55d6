import Type from 'typebox';

/** An opaque, URL-safe id of at most 20 characters, made by the server. */
export const Id = Type.String({ description: 'Opaque and URL-safe, at most 20 characters.' });

/** A moment as the server writes it: UTC with milliseconds, `2026-11-20T08:00:00.000Z`. */
export const Moment = Type.String({ format: 'date-time' });

/** A moment as callers may write it: ISO 8601 with any offset. */
export const MomentInput = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?(Z|[+-]\\d{2}(:?\\d{2})?)$',
  description: 'ISO 8601 with an offset, for example `2026-11-20T08:00:00Z` or `2026-11-20T09:00:00+01:00`.',
});

export const Url = Type.String({ format: 'uri' });

export const GitOid = Type.String({ description: 'A git object id.' });

/** A single-line text written by a person, such as a title. */
export const Title = Type.String({ minLength: 1, maxLength: 256 });

export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export const Role = Type.Enum([...roles], { type: 'string' });
export type Role = (typeof roles)[number];

/** A role, or null for a guest. */
export const RoleOrGuest = Type.Union([Role, Type.Null()]);
