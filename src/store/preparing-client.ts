import pg from 'pg';

/** Uses of a statement before it is prepared: as in the PostgreSQL JDBC driver (`prepareThreshold`). */
const PREPARE_AFTER = 5;

/** Statements that one connection prepares; each takes some 20 KB of its server process. */
const MAX_STATEMENTS = 256;

/** Texts of which uses are counted: lists of parameters make new ones for ever. */
const MAX_COUNTED = 2_000;

type Query = (this: pg.Client, query: unknown, ...rest: unknown[]) => unknown;

/** What Drizzle and our own queries hand to a client. */
interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/**
 * Connections that prepare what is asked again and again, so that PostgreSQL does not parse and plan it each time, which
 * takes longer than running it where rows are found by a key. Not for connection poolers, which may give a statement to a
 * connection that did not prepare it.
 */
export function preparingClient(): typeof pg.Client {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const name = names.get(text);
    if (name !== undefined || names.size >= MAX_STATEMENTS) return name;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < PREPARE_AFTER) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    names.set(text, `docloom_${names.size + 1}`);
    return names.get(text);
  }

  class PreparingClient extends pg.Client {}
  // Assigned, since a method of these many overloads cannot be overridden in TypeScript.
  (PreparingClient.prototype as { query: Query }).query = function (asked, ...rest) {
    const named = isPreparable(asked, rest[0]) ? { ...asked, name: nameOf(asked.text) } : asked;
    return (pg.Client.prototype.query as Query).call(this, named, ...rest);
  };
  return PreparingClient;
}

/**
 * A text search. Prepared, it would get one plan for all words: for a frequent one it takes three times as long as the plan
 * that the statistics of the word suggest.
 */
const isTextSearch = (text: string) => text.includes(' @@ ');

/** Text without parameters may be several statements, which cannot be prepared. */
function isPreparable(asked: unknown, values: unknown): asked is Statement {
  if (typeof asked !== 'object' || asked === null || 'submit' in asked || !('text' in asked)) return false;
  const statement = asked as Statement;
  const parameters = Array.isArray(values) ? values : statement.values;
  return (
    statement.name === undefined &&
    parameters !== undefined &&
    parameters.length > 0 &&
    !isTextSearch(statement.text)
  );
}
