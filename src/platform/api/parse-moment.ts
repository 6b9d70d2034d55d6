/** The moment that an ISO 8601 text with an offset names; null for one that does not exist, or that the database cannot store. */
export function parseMoment(text: string): Date | null {
  // Date parses neither `+0100` nor `+01` nor a decimal comma, which ISO 8601 also allows.
  const [, date, , hours, minutes] = /^(.+?)(([+-]\d{2}):?(\d{2})?|Z)$/.exec(text.replace(',', '.')) ?? [];
  const moment = new Date(hours === undefined ? `${date}Z` : `${date}${hours}:${minutes ?? '00'}`);
  // A comparison with NaN is false, too. There is no year 0 in PostgreSQL.
  return moment.getTime() >= FIRST ? moment : null;
}

const FIRST = Date.parse('0001-01-02T00:00:00Z');
