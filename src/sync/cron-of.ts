const words: Readonly<Record<string, string>> = {
  hourly: '0 * * * *',
  daily: '0 3 * * *',
  weekly: '0 3 * * 1',
  monthly: '0 3 1 * *',
};

/** The expression behind a schedule of the configuration: `hourly`, `daily` (at three), `weekly` (Mondays), `monthly`, or itself. */
export function cronOf(schedule: string): string {
  return words[schedule] ?? schedule;
}
