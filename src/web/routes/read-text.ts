/** A text of a form or query, at most so many characters of it; empty when it is absent. */
export function readText(values: unknown, name: string, longest = 300): string {
  const value = (values as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value.slice(0, longest) : '';
}
