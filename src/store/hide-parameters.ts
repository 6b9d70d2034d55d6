import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import pg from 'pg';

type RunQuery = (this: unknown, ...args: unknown[]) => Promise<unknown>;

let isHidden = false;

/**
 * Takes the parameters, which are what users wrote, and values of rows out of the errors of queries, before anybody logs or
 * stores such an error. Drizzle puts them into the message, and has no setting that leaves them out.
 */
export function hideParameters(): void {
  if (isHidden) return;
  isHidden = true;
  const queries = PgPreparedQuery.prototype as unknown as { queryWithCache: RunQuery };
  const run = queries.queryWithCache;
  queries.queryWithCache = async function (...args) {
    try {
      return await run.apply(this, args);
    } catch (error) {
      throw withoutParameters(error);
    }
  };
}

function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const { cause } = error;
  if (cause instanceof pg.DatabaseError) {
    delete cause.detail;
    delete cause.where;
    delete cause.internalQuery;
  }
  const hidden = new DrizzleQueryError(error.query, [], cause);
  hidden.message = `Failed query: ${error.query}`;
  const { stack = '', message } = error;
  const at = stack.indexOf(message);
  const frames = at === -1 ? '' : stack.slice(at + message.length);
  hidden.stack = `${hidden.name}: ${hidden.message}${frames}`;
  return hidden;
}
