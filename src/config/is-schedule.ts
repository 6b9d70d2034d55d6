/** The schedules that have a name. */
export const scheduleWords = ['hourly', 'daily', 'weekly', 'monthly'] as const;

/** Minute, hour, day of the month, month, day of the week; the last two also accept names. */
const FIELDS: readonly { readonly from: number; readonly to: number; readonly names?: readonly string[] }[] =
  [
    { from: 0, to: 59 },
    { from: 0, to: 23 },
    { from: 1, to: 31 },
    {
      from: 1,
      to: 12,
      names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
    },
    { from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  ];

/** Whether a text is a named schedule, or a cron expression of five fields: numbers, names, `*`, lists, ranges and steps. */
export function isSchedule(text: string): boolean {
  if ((scheduleWords as readonly string[]).includes(text)) return true;
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === FIELDS.length &&
    fields.every((field, at) =>
      field.split(',').every((part) => isPart(part, FIELDS[at] ?? { from: 0, to: 0 })),
    )
  );
}

function isPart(part: string, { from, to, names = [] }: (typeof FIELDS)[number]): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !isWithin(step, 1, to))) return false;
  if (range === '*') return true;
  const ends = range.split('-').map((end) => {
    const name = names.indexOf(end.toLowerCase());
    if (name >= 0) return name + from;
    return isWithin(end, from, to) ? Number(end) : null;
  });
  const [first, last] = ends;
  if (first == null || ends.length > 2) return false;
  return ends.length === 1 ? step === undefined : last != null && first <= last;
}

function isWithin(text: string, from: number, to: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= from && Number(text) <= to;
}
