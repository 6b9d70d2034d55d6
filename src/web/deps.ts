import type { PlatformClient } from '../client/index.ts';
import type { ApiReport, LinkReport } from '../content/report/index.ts';
import type {
  Accounts,
  GitHubSignIn,
  Invitations,
  OidcSignIn,
  ProviderLinks,
  SamlSignIn,
  SessionStore,
  SsoLogins,
} from '../identity/index.ts';
import type { TranslationSegments } from '../platform/index.ts';
import type {
  CarryingPull,
  Disconnection,
  ExpiringIgnores,
  SchedulerResults,
  SpaceRepository,
} from './scheduled.ts';
import type { SetupPages } from './setup-pages.ts';
import type { SiteLooks } from './site-looks.ts';
import type { StatusPages } from './status-pages.ts';

/** Encrypts the values of cookies, so that only this server can read or make them. */
export interface CookieSealer {
  seal(text: string): string;
  /** Throws for a text that was not sealed here. */
  unseal(sealed: string): string;
}

export interface PagesLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Something done on a page that is not done through the platform. */
export interface PageEvent {
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string | null };
}

/** A provider that signs people in. */
export interface SignInProvider {
  /** What the button says, such as `Sign in with GitHub`. */
  readonly label: string;
  /** A path of this server at which signing in begins. */
  readonly path: string;
}

/** What the pages for people are built from. */
export interface PagesDeps {
  /** A client of the platform with the rights of this token. */
  readonly clientFor: (token: string) => PlatformClient;
  readonly sealer: CookieSealer;
  readonly sessionStore: SessionStore;
  /** Sign-ins through SAML identity providers; when absent, there are none. */
  readonly saml?: SamlSignIn;
  /** Sign-ins through OpenID Connect providers; when absent, there are none. */
  readonly oidc?: OidcSignIn;
  /** Signing in with GitHub; absent as the accounts are. */
  readonly gitHub?: GitHubSignIn;
  /** Accounts at providers of organizations that people link to their own; absent as the accounts are. */
  readonly providerLinks?: ProviderLinks;
  /** Hands sessions over to hosts of sites; absent when the platform is another server. */
  readonly siteReaders?: {
    /** The address there to which the browser goes; null for a host without sites here, or a session that is over. */
    handOver(
      sessionToken: string,
      ask: { readonly host: string; readonly browserHash: string; readonly returnTo: string },
    ): Promise<string | null>;
  };
  /** Shows the look of a site before it is saved. */
  readonly siteLooks: SiteLooks;
  /** The texts of translations; absent when the platform is another server. */
  readonly translationSegments?: TranslationSegments;
  /** The accounts of people; absent when the platform is another server, which knows its users. */
  readonly accounts?: Accounts;
  /** Invitations to organizations; absent as the accounts are. */
  readonly invitations?: Invitations;
  /** Where members of organizations sign in, by their address; absent when the platform is another server. */
  readonly ssoLogins?: SsoLogins;
  /** Where people sign in besides, as buttons of the sign-in page; `next` is the path to open afterwards. */
  readonly signInProviders?: (next: string) => Promise<readonly SignInProvider[]>;
  /** The address at which people reach this server; with https, cookies are sent over https only. */
  readonly publicUrl: string;
  /** The report of a pull request, by the id in its address. */
  readonly loadReport: (id: string) => Promise<LinkReport | ApiReport | null>;
  /** For setting up the GitHub App; when absent, there are no pages for it. */
  readonly setup?: SetupPages;
  /** For the status page; when absent, there is none. */
  readonly status?: StatusPages;
  /** What the scheduler did for a space; null when no repository is bound to it. */
  readonly loadScheduled?: (spaceId: string) => Promise<SchedulerResults | null>;
  /** The repository that feeds a space; null for none. */
  readonly loadSpaceRepository?: (spaceId: string) => Promise<SpaceRepository | null>;
  /** The pull requests that carry a merged change request, the newest first. */
  readonly loadCarryingPulls?: (spaceId: string, changeRequestId: string) => Promise<readonly CarryingPull[]>;
  /** Those of these spaces that pushes no longer reach, by id. */
  readonly loadDisconnected?: (spaceIds: readonly string[]) => Promise<ReadonlyMap<string, Disconnection>>;
  /** Entries of `checks.ignore` that end soon or have ended, of the repositories that feed these spaces. */
  readonly loadExpiringIgnores?: (
    spaceIds: readonly string[],
    now: Date,
  ) => Promise<readonly ExpiringIgnores[]>;
  /** Calls back whenever the status of some repository may have changed; returns how to stop that. */
  readonly watchStatus?: (listener: () => void) => () => void;
  /** What is wrong with the newest configuration of a space's repository; null when nothing is. */
  readonly loadConfigError?: (spaceId: string) => Promise<string | null>;
  /** One sentence for people where an error says that the server cannot answer for now; null for any other error. */
  readonly describeOutage?: (error: unknown) => string | null;
  /** Records in the audit log what the owner of this token did on a page; null for somebody with the set-up key. */
  readonly recordAction?: (token: string | null, event: PageEvent) => Promise<void>;
  readonly log: PagesLog;
  /** For ages such as “3 minutes ago”; the current time when absent. */
  readonly now?: () => Date;
}
