/** A value as a sentence names it: short, whatever it is. */
export function writePlain(value: unknown): string {
  const text = value === undefined ? 'none' : (JSON.stringify(value) ?? 'none');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** What is said of a thing that was optional and is required, or the other way round. */
export function needs(isRequired: boolean): { readonly was: string; readonly is: string } {
  return isRequired ? { was: 'optional', is: 'required' } : { was: 'required', is: 'optional' };
}

/** Names in a sentence: `a, b and c`, and how many more there are. */
export function writeNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
