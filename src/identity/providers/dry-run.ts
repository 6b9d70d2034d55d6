import type { Database, Db } from '../../store/index.ts';

/** What a transaction would return, by running it and taking it back. What it throws is thrown here. */
export async function dryRun<T>(db: Database, act: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx): Promise<never> => {
      throw new TakenBack(await act(tx));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw error;
  }
}

/** Ends a transaction without a trace of it. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
  readonly result: unknown;

  constructor(result: unknown) {
    super('The transaction was a dry run.');
    this.result = result;
  }
}
