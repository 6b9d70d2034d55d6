/** Which GitHub: github.com where `host` is null, else an enterprise server. */
export interface GitHubAddress {
  /** Host and port of an enterprise server. */
  readonly host: string | null;
  readonly protocol: 'https' | 'http';
}

/** Where people see it, without a slash at the end. */
export function webAddress({ host, protocol }: GitHubAddress): string {
  return host === null ? 'https://github.com' : `${protocol}://${host}`;
}

/** Where its REST API is. https://docs.github.com/enterprise-server@latest/rest/quickstart */
export function apiAddress({ host, protocol }: GitHubAddress): string {
  return host === null ? 'https://api.github.com' : `${protocol}://${host}/api/v3`;
}

/** As people say it. */
export function hostName({ host }: GitHubAddress): string {
  return host ?? 'github.com';
}
