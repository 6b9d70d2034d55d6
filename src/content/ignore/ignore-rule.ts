/** One entry of `checks.ignore` in the configuration. A link is ignored when it matches all patterns of the entry. */
export interface IgnoreRule {
  /** Glob patterns over the destination as written, the file's path in the repository, and the rule's id. */
  readonly target: string | null;
  readonly file: string | null;
  readonly rule: string | null;
  readonly reason: string;
  /** The last day on which it is valid, `YYYY-MM-DD`; null for always. */
  readonly until: string | null;
  /** Its line in the configuration file, from 1. */
  readonly line: number;
  /**
   * Present for an entry of `checks.rules`, which sets the severity of a whole rule: its links do not count (`off`), or are
   * reported without counting as broken (`warning`). Such an entry is never reported as unused.
   */
  readonly severity?: 'off' | 'warning';
}
