/** Where a conversation is from, in words. */
export function describeSource(source: string): string {
  const [, name = '', instance = ''] = /^integration:([^:]+):(.*)$/.exec(source) ?? [];
  if (name === '') return source;
  if (name === 'search') return 'Search of a site';
  if (name === 'feedback') return 'Feedback on pages';
  if (name === 'github') return `GitHub, ${instance}`;
  return instance === 'api' || instance === 'default' ? name : `${name}, ${instance}`;
}
