/** Where people find a server that was just started, in words: for a terminal. */
export function describeServer({
  publicUrl,
  setupUrl,
  hasApp,
}: {
  readonly publicUrl: string;
  /** Where the first administrator and the GitHub App are made; null once that address was used. */
  readonly setupUrl: string | null;
  readonly hasApp: boolean;
}): string {
  const setup =
    setupUrl === null
      ? ''
      : `
${hasApp ? 'Nobody has an account yet. Make the administrator’s' : 'There is no GitHub App yet, so no push arrives. Create one'} here; the address is a secret until then:
  ${setupUrl}
`;
  return `
Docloom is at ${publicUrl}
${setup}
Press Ctrl+C to stop it.

`;
}
