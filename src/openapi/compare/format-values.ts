/** A value as messages show it: JSON, shortened to 80 UTF-16 code units. */
export function formatJson(value: unknown): string {
  const text = value === undefined ? 'none' : (JSON.stringify(value) ?? 'none');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The values of a change from optional to required, or the reverse. */
export function requiredValues(isRequired: boolean): { readonly was: string; readonly is: string } {
  return isRequired ? { was: 'optional', is: 'required' } : { was: 'required', is: 'optional' };
}

/** A list for a sentence: `a, b and c`, or the first names and the number of the rest. */
export function formatList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
