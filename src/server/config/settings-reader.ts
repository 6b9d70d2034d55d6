import { withScheme } from '../../net/index.ts';
import { listSecrets, readSecret } from './secret-files.ts';
import { type Environment, SECRET_SETTINGS, type SettingName } from './settings.ts';

/** All problems of the settings, each with the name, what is wrong and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the settings have problems:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly what?: string;
}

/** Reads settings and collects their problems. */
export class SettingsReader {
  readonly #env: Environment;
  readonly #problems: string[] = [];
  readonly #secrets = new Map<string, string | undefined>();
  /** Secrets whose variables have a problem already: one message about each is enough. */
  readonly #refused = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  problem(name: SettingName | `OPENAPI_SECRET_${string}`, what: string): void {
    if (!this.#refused.has(name)) this.#problems.push(`${name} ${what}`);
  }

  throwProblems(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
  }

  /** Empty counts as absent. */
  text(name: SettingName): string | null {
    const value = (SECRET_SETTINGS.has(name) ? this.#secret(name) : this.#env[name])?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** The variables of a setting whose name ends with a placeholder. */
  family(name: SettingName & `${string}<NAME>`): Environment {
    const names = listSecrets(this.#env, name.replace('<NAME>', ''));
    return Object.fromEntries(names.map((variable) => [variable, this.#secret(variable)]));
  }

  #secret(name: string): string | undefined {
    if (this.#secrets.has(name)) return this.#secrets.get(name);
    const reading = readSecret(this.#env, name);
    if ('problem' in reading) {
      this.#refused.add(name);
      this.#problems.push(`${reading.name} ${reading.problem}`);
    }
    const value = 'problem' in reading ? undefined : reading.value;
    this.#secrets.set(name, value);
    return value;
  }

  /** The variable with the name in lower case, as other programs read proxies; empty counts as absent. */
  lowerCase(name: SettingName): string | null {
    return this.#env[name.toLowerCase()]?.trim() || null;
  }

  /** The address of a proxy, which may have a password; that in lower case goes first, as elsewhere. */
  proxy(name: 'HTTPS_PROXY' | 'HTTP_PROXY'): string | null {
    const value = withScheme(this.lowerCase(name) ?? this.text(name));
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
    if (isAddress && url.search === '' && url.hash === '') return value;
    this.problem(
      name,
      'must be http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128, with special characters of the password percent-encoded',
    );
    return null;
  }

  list(name: SettingName): readonly string[] {
    return (this.text(name) ?? '').split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  }

  port(name: SettingName, fallback: number): number {
    return this.integer(name, { fallback, min: 0, max: 65_535, what: 'a port' });
  }

  integer(name: SettingName, { fallback, min, max, what = 'a whole number' }: IntegerRange): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    this.problem(name, `is "${value}", but must be ${what} from ${min} to ${max}`);
    return fallback;
  }

  /** A whole number of at least 1. */
  count(name: SettingName, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const count = Number(value);
    if (Number.isSafeInteger(count) && count >= 1 && count <= 1_000_000_000) return count;
    this.problem(name, `is "${value}", but must be a whole number from 1 to 1000000000`);
    return fallback;
  }

  choice<const T extends string>(name: SettingName, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = allowed.find((item) => item === value.toLowerCase());
    if (found === undefined) this.problem(name, `is "${value}", but must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  /** An http or https address without credentials; returned without a trailing slash. */
  httpUrl(name: SettingName): string | null {
    const value = this.text(name);
    if (value === null) return null;
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol)) {
      this.problem(name, 'must be an address that starts with https:// or http://');
    } else if (url.username !== '' || url.password !== '') {
      this.problem(name, 'must not contain a user name or password');
    } else {
      return url.href.replace(/\/$/, '');
    }
    return null;
  }
}
