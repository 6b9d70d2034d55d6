/** What the set-up pages need from the server: the web room knows nothing of GitHub. */

/** The input of a person cannot be used, or GitHub failed: one sentence for that person. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}

/** The App that somebody wants to register. */
export interface SetupRequest {
  /** `github.com`, or the address of an enterprise server. */
  readonly github: string;
  /** Empty for the personal account of the person who registers the App. */
  readonly organization: string;
  readonly name: string;
  readonly readOnly: boolean;
}

/** A permission or an event that the App needs. */
export interface SetupNeed {
  readonly name: string;
  readonly reason: string;
  /** Absent for an event. */
  readonly level?: 'read' | 'write';
}

/** A registration that GitHub will be requested to make. */
export interface SetupProposal {
  /** For people: `github.com`. */
  readonly host: string;
  /** The address of the form, and its origin. */
  readonly action: string;
  readonly origin: string;
  /** The App's manifest, as JSON. */
  readonly manifest: string;
  readonly permissions: readonly SetupNeed[];
  readonly events: readonly SetupNeed[];
  /** The GitHub that will redirect back. */
  readonly github: { readonly host: string | null; readonly protocol: 'https' | 'http' };
}

export interface SetupInstallation {
  readonly account: string;
  readonly url: string;
  readonly repositories: 'all' | 'selected';
  readonly suspended: boolean;
  /** Names of permissions and events that it does not grant. */
  readonly missing: readonly string[];
}

/** The App that this server works as. */
export interface SetupConnection {
  readonly host: string;
  readonly appId: number;
  /** The name and the page on GitHub of an App that was set up in the browser; null for an App from the settings. */
  readonly name: string | null;
  readonly url: string | null;
  /** The source of its credentials. */
  readonly source: 'environment' | 'set-up';
  /** Until when deliveries with an earlier webhook secret are accepted; `open` while it is unknown which one GitHub uses. */
  readonly earlierSecretUntil: Date | 'open' | null;
  /** The App as GitHub describes it now, or why GitHub could not be queried. */
  readonly details:
    | {
        readonly name: string;
        readonly url: string;
        readonly owner: string;
        readonly readOnly: boolean;
        readonly missing: readonly SetupNeed[];
        readonly installations: readonly SetupInstallation[];
        readonly installationCount: number;
      }
    | { readonly problem: string };
  /** Repositories that reach this server now. */
  readonly repositories: number;
}

export interface SetupPages {
  /** Whether this server works as an App. */
  isConnected(): boolean;
  /** Null while there is no App. */
  connection(): Promise<SetupConnection | null>;
  /** Drops what is cached of GitHub's answers, after a change there. */
  refresh(): void;
  /** The initial values of the form. */
  readonly defaults: { readonly github: string; readonly name: string };
  /** Why the stored App cannot be used; null when it can, or when there is none. */
  appProblem(): string | null;
  /** Whether there is a set-up key, which works until it was used. */
  hasKey(): Promise<boolean>;
  /** Whether this is the set-up key in the server's log. */
  isKey(text: string): Promise<boolean>;
  /** Whether this token belongs to an administrator of the server. */
  isAdministrator(token: string): Promise<boolean>;
  /** @throws {SetupProblem} */
  propose(request: SetupRequest): SetupProposal;
  /** Exchanges GitHub's code for the App, stores it and starts its work. @throws {SetupProblem} */
  register(github: SetupProposal['github'], code: string): Promise<void>;
  /** Sets a new secret for the App's webhook, here and at GitHub; only for an App that was set up in the browser. @throws {SetupProblem} */
  changeSecret(): Promise<void>;
  /** Replaces that App's private key by another, in PEM, after GitHub accepted it. @throws {SetupProblem} */
  changePrivateKey(pem: string): Promise<void>;
  /** Removes that App and its keys from this server, and stops its work. */
  removeApp(): Promise<void>;
  /** Creates a token for the person who opened the page with the set-up key; null when the platform is another server. */
  makeToken(): Promise<string | null>;
}
