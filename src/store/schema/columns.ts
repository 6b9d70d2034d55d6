import { customType, text, timestamp } from 'drizzle-orm/pg-core';

/** An opaque, URL-safe id of at most 20 characters, made by `newId`. */
export const id = (name: string) => text(name);

/** A moment in UTC with milliseconds. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Bytes as they are. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** What full text search finds rows by (https://www.postgresql.org/docs/current/datatype-textsearch.html). */
export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });
