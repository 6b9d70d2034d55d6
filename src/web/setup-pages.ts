/** What the set-up pages need from the server: the web room knows nothing of GitHub. */

/** Something that a person filled in cannot be used, or GitHub did not do its part: a sentence for them. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}

/** What somebody wants their App to be. */
export interface SetupRequest {
  /** `github.com`, or the address of an enterprise server. */
  readonly github: string;
  /** Empty for the personal account of whoever registers the App. */
  readonly organization: string;
  readonly name: string;
  readonly readOnly: boolean;
}

export interface SetupNeed {
  readonly name: string;
  readonly reason: string;
  /** Of a permission. */
  readonly level?: 'read' | 'write';
}

/** What GitHub is about to be asked for. */
export interface SetupProposal {
  /** As people say it: `github.com`. */
  readonly host: string;
  /** Where the form leads, and the origin of that. */
  readonly action: string;
  readonly origin: string;
  /** JSON, for GitHub. */
  readonly manifest: string;
  readonly permissions: readonly SetupNeed[];
  readonly events: readonly SetupNeed[];
  /** Names the GitHub when it leads back. */
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
  /** As it was set up here: its name, and its page on GitHub. Null for one of the settings. */
  readonly name: string | null;
  readonly url: string | null;
  /** Where its credentials come from. */
  readonly source: 'environment' | 'set-up';
  /** Until when deliveries with an earlier webhook secret are taken; `open` while it is not known which one GitHub has. */
  readonly earlierSecretUntil: Date | 'open' | null;
  /** What GitHub says now, or why it does not. */
  readonly known:
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
  /** Whether there is an App. */
  isConnected(): boolean;
  /** Null while there is none. */
  connection(): Promise<SetupConnection | null>;
  /** Something changed at GitHub: it is asked again. */
  refresh(): void;
  /** What the form begins with. */
  readonly defaults: { readonly github: string; readonly name: string };
  /** Why the App that is kept cannot be used; null when it can, or there is none. */
  trouble(): string | null;
  /** Whether this is the key of the server's log, while there is no App. */
  isKey(text: string): Promise<boolean>;
  /** Whether the owner of a token may set up. */
  isAdministrator(token: string): Promise<boolean>;
  /** @throws {SetupProblem} */
  propose(request: SetupRequest): SetupProposal;
  /** Takes the App for GitHub's code and begins to serve it. @throws {SetupProblem} */
  register(github: SetupProposal['github'], code: string): Promise<void>;
  /** Gives the webhook of an App that was set up here a new secret, here and at GitHub. @throws {SetupProblem} */
  changeSecret(): Promise<void>;
  /** Works with another private key of that App, in PEM, once GitHub took it. @throws {SetupProblem} */
  changePrivateKey(pem: string): Promise<void>;
  /** Removes that App and its keys from this server, and ends its work. */
  forget(): Promise<void>;
  /** A token for whoever came with the key; null where the platform is another server. */
  makeToken(): Promise<string | null>;
}
