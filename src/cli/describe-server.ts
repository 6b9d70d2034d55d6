/** Where people find a server that was just started, in words: for a terminal. */
export function describeServer({
  publicUrl,
  setupUrl,
}: {
  readonly publicUrl: string;
  /** Where the GitHub App is created; null when there is one. */
  readonly setupUrl: string | null;
}): string {
  const setup =
    setupUrl === null
      ? ''
      : `
There is no GitHub App yet, so no push arrives. Create one here; the address is a secret until then:
  ${setupUrl}
`;
  return `
Docloom is at ${publicUrl}
${setup}
Press Ctrl+C to stop it.

`;
}
