import {
  type Database,
  type Db,
  deleteSignInRequest,
  findAnsweredLink,
  type IdentityProviderRow,
  type LinkableProviderRow,
  listLinkableProviders,
  loadIdentityProvider,
  loadUser,
  lockIdentityProvider,
  type RequestOrigin,
  recordAudit,
  recordLinkOutcome,
  type SignInRequestRow,
  updateIdentityProvider,
} from '../../store/index.ts';
import { AccountProblem } from '../account-input.ts';
import { storableText } from '../storable-text.ts';
import { AdmissionRefused, domainOf, linkUser, type ProvedIdentity } from './admit-user.ts';
import { dryRun } from './dry-run.ts';
import { providerActor, vouchesFor } from './provider-session.ts';

/** What makes a provider the one that was asked. */
type Checked = Pick<IdentityProviderRow, 'issuer' | 'clientId' | 'entityId' | 'certificates'>;

/** Whom a provider named to a user who links an account there; it is linked when they agree. */
interface LinkOutcome {
  readonly identity: ProvedIdentity;
  readonly checked: Checked;
}

/** A request of a user who wants to link their account, and who must be the one that is signed in. */
export interface OwnLink {
  readonly providerId: string;
  readonly userId: string;
}

/** Accounts at the providers of organizations, as people link them to their own while they are signed in here. */
export interface ProviderLinks {
  /** The providers at which a user may have an account, by the domain of their address. */
  list(userId: string): Promise<readonly LinkableProviderRow[]>;
  /** Whom the provider named when this user signed in there just now; null when nothing waits for their consent. */
  find(link: OwnLink): Promise<{ readonly label: string; readonly account: string } | null>;
  /** Links the account that `find` shows, once; false when nothing waits. @throws {AccountProblem} */
  link(link: OwnLink, origin: RequestOrigin): Promise<boolean>;
}

export function openProviderLinks({
  db,
  now = () => new Date(),
}: {
  readonly db: Database;
  readonly now?: () => Date;
}): ProviderLinks {
  return {
    async list(userId) {
      const user = await loadUser(db, userId);
      const domain = domainOf(user?.email ?? null);
      return domain === null ? [] : await listLinkableProviders(db, { id: userId, domain });
    },

    async find(link) {
      const waiting = await findAnsweredLink(db, { ...link, now: now() });
      const provider = waiting && (await loadIdentityProvider(db, link.providerId));
      if (!provider) return null;
      const { identity } = waiting.outcome as LinkOutcome;
      return { label: provider.label, account: identity.label };
    },

    async link(link, origin) {
      const waiting = await findAnsweredLink(db, { ...link, now: now() });
      if (waiting === null) return false;
      const { identity, checked } = waiting.outcome as LinkOutcome;
      try {
        return await db.transaction(async (tx) => {
          if (!(await deleteSignInRequest(tx, waiting.hash))) return false;
          const provider = await lockIdentityProvider(tx, link.providerId, 'no key update');
          if (provider === null || !vouchesFor(provider, checked)) return false;
          await linkAccount(tx, provider, { userId: link.userId, identity, origin });
          return true;
        });
      } catch (error) {
        throw error instanceof AdmissionRefused ? new AccountProblem(error.message) : error;
      }
    },
  };
}

/**
 * Keeps whom a provider named for the consent of the user who asked, in the browser that shows that they are signed in: the
 * provider's answer may come without the cookie of their session.
 *
 * @param accept Uses the answer up, in the same transaction.
 * @throws AdmissionRefused when the account could not be linked
 */
export async function offerLink(
  db: Database,
  provider: IdentityProviderRow,
  request: SignInRequestRow,
  identity: ProvedIdentity,
  accept: (tx: Db) => Promise<void> = async () => {},
): Promise<void> {
  await dryRun(db, (tx) => linkUser(tx, provider, request.linkTo ?? '', identity));
  const { issuer, clientId, entityId, certificates } = provider;
  const outcome: LinkOutcome = {
    identity: {
      subject: identity.subject,
      label: storableText(identity.label).slice(0, 300),
      email: identity.email === null ? null : storableText(identity.email),
      displayName: null,
    },
    checked: { issuer, clientId, entityId, certificates },
  };
  await db.transaction(async (tx) => {
    await accept(tx);
    await recordLinkOutcome(tx, request.hash, outcome);
  });
}

async function linkAccount(
  tx: Db,
  provider: IdentityProviderRow,
  {
    userId,
    identity,
    origin,
  }: { readonly userId: string; readonly identity: ProvedIdentity; readonly origin: RequestOrigin },
): Promise<void> {
  const { organizationId, label } = provider;
  const { user, isNew, isConfirmed } = await linkUser(tx, provider, userId, identity);
  if (!isNew) return;
  if (provider.status !== 'active') await updateIdentityProvider(tx, provider.id, { status: 'active' });
  const target = { kind: 'user', id: user.id, name: user.displayName };
  await recordAudit(tx, {
    organizationId,
    action: 'user.link-sso',
    actor: { kind: 'user', id: user.id, name: user.displayName, ...origin },
    target,
    after: { provider: label, account: identity.label },
  });
  if (isConfirmed)
    await recordAudit(tx, {
      organizationId,
      action: 'user.verify-email',
      actor: providerActor(provider, origin),
      target,
    });
}
