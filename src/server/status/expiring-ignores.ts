import { parseConfig } from '../../config/index.ts';
import { type Database, listConfigTexts } from '../../store/index.ts';
import type { ExpiringIgnores } from '../../web/index.ts';

/** How early people are told, in days: time for a pull request. */
const SOON_DAYS = 14;

/** Configurations whose last days are known; what they say costs a few milliseconds to read. */
const MAX_KNOWN = 200;

/** Finds the entries of `checks.ignore` that end soon or have ended, of the repositories that feed these spaces. */
export function createIgnoreReader(db: Database) {
  const known = new Map<string, readonly string[]>();

  /** The last days of the entries that have one. */
  function lastDays(text: string): readonly string[] {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parseConfig(text);
    const days = 'problems' in parsed ? [] : parsed.config.checks.ignore.flatMap(({ until }) => until ?? []);
    const [oldest] = known.keys();
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(text, days);
    return days;
  }

  return async (spaceIds: readonly string[], now: Date): Promise<readonly ExpiringIgnores[]> => {
    const today = dayOf(now);
    const soon = dayOf(new Date(now.getTime() + SOON_DAYS * 24 * 60 * 60_000));
    const byRepository = new Map<string, ExpiringIgnores>();
    for (const { spaceId, repository, text } of await listConfigTexts(db, spaceIds, 'until')) {
      if (byRepository.has(repository)) continue;
      const days = lastDays(text).filter((day) => day <= soon);
      const ending = days.filter((day) => day >= today).toSorted();
      if (days.length === 0) continue;
      byRepository.set(repository, {
        repository,
        spaceId,
        ended: days.length - ending.length,
        ending: ending.length,
        nextDay: ending[0] ?? null,
      });
    }
    return [...byRepository.values()];
  };
}

/** As the checks count days. */
function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
