/** One entry of `checks.ignore` in the configuration. A link is ignored when it fits all patterns that are given. */
export interface IgnoreRule {
  /** Glob patterns over the destination as written, the file's path in the repository, and the rule's id. */
  readonly target: string | null;
  readonly file: string | null;
  readonly rule: string | null;
  readonly reason: string;
  /** The last day on which it holds, `YYYY-MM-DD`; null for always. */
  readonly until: string | null;
  /** Where it stands in the configuration file. */
  readonly line: number;
  /**
   * There for an entry of `checks.rules`, which is about one rule as a whole: its links do not count (`off`), or are told
   * and break nothing (`warning`). Such an entry stands also when no link breaks the rule.
   */
  readonly severity?: 'off' | 'warning';
}
