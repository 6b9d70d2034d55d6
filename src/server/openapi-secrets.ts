/**
 * Secrets that configurations of repositories may name for the headers of an address: `OPENAPI_SECRET_<NAME>` is
 * `<host> <value>`, with several hosts separated by commas. A secret goes to its hosts only, since whoever may push to a
 * repository chooses the address.
 */
export function readOpenApiSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): (name: string, host: string) => string | null {
  return (name, host) => {
    const [, hosts = '', value = ''] =
      /^\s*(\S+)\s+(.+?)\s*$/.exec(environment[`OPENAPI_SECRET_${name}`] ?? '') ?? [];
    return value !== '' && hosts.toLowerCase().split(',').includes(host.toLowerCase()) ? value : null;
  };
}
