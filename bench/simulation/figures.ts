/** What one operation costs. */
export interface Cost {
  /** Processor time of the server's process and the programs that it starts. */
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
  /** Time in which sessions of the database executed statements, waits for the disk included. */
  readonly databaseActiveMs: number;
  /** Inserted, updated and deleted rows. */
  readonly rows: number;
  readonly transactions: number;
  /** Write-ahead log of PostgreSQL. */
  readonly walBytes: number;
  /** What the database grows by, before anything old is deleted. */
  readonly databaseBytes: number;
  /** What the store of bytes grows by. */
  readonly storeBytes: number;
  /** Calls to GitHub's REST API. */
  readonly calls: number;
}

/** The kinds of operations that are measured. `firstView` makes a page, `view` answers it again from memory. */
export type MeasuredOperation = 'import' | 'push' | 'pull' | 'firstView' | 'view' | 'search' | 'export';

/** What `npm run bench capacity` measures. */
export interface CapacityFigures {
  readonly machine: {
    readonly cores: number;
    readonly model: string;
    readonly node: string;
    readonly postgres: string;
  };
  /** The repository that was measured. */
  readonly repository: {
    readonly pages: number;
    readonly pageBytes: number;
    readonly pictures: number;
    readonly pictureBytes: number;
  };
  readonly costs: Readonly<Record<MeasuredOperation, Cost>>;
  /** Bytes that each table, with its indexes, has for one repository that was just imported. */
  readonly tables: Readonly<Record<string, number>>;
}
