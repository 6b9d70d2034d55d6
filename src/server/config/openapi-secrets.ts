export interface OpenApiSecrets {
  /** The value of a secret for requests to a host; null when there is none, or when it is for other hosts. */
  secretFor(name: string, host: string): string | null;
  /** Variables whose value is not hosts and a secret. */
  readonly malformed: readonly `OPENAPI_SECRET_${string}`[];
}

const VARIABLE = /^OPENAPI_SECRET_([A-Z][A-Z0-9_]*)$/;

/**
 * Reads the secrets that configurations of repositories may name for the headers of a URL: `OPENAPI_SECRET_<NAME>` is
 * `<host> <value>`, with several hosts separated by commas. A secret is sent only to its hosts, because everyone who can
 * push to a repository can choose the URL.
 */
export function readOpenApiSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): OpenApiSecrets {
  const secrets = new Map<string, { readonly hosts: readonly string[]; readonly value: string }>();
  const malformed: `OPENAPI_SECRET_${string}`[] = [];
  for (const [variable, text = ''] of Object.entries(environment)) {
    const name = VARIABLE.exec(variable)?.[1];
    if (name === undefined || text.trim() === '') continue;
    const [, hosts, value] = /^\s*(\S+)\s+(.*\S)\s*$/s.exec(text) ?? [];
    if (hosts === undefined || value === undefined) malformed.push(`OPENAPI_SECRET_${name}`);
    else secrets.set(name, { hosts: hosts.toLowerCase().split(','), value });
  }
  return {
    malformed,
    secretFor(name, host) {
      const secret = secrets.get(name);
      return secret?.hosts.includes(host.toLowerCase()) ? secret.value : null;
    },
  };
}
