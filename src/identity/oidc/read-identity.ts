import type { ProvedIdentity } from '../providers/admit-user.ts';
import { OidcRefusal } from './refusal.ts';

/** Claims of an ID token or of userinfo, which the provider may have filled with anything. */
export type Claims = Readonly<Record<string, unknown>>;

const GOOGLE = 'https://accounts.google.com';
/** Microsoft Entra in its clouds. */
const ENTRA =
  /^https:\/\/(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)\//;

/** Whether the ID token leaves open who somebody is, so that userinfo is worth a request. */
export function needsUserinfo(issuer: string, claims: Claims): boolean {
  return !ENTRA.test(issuer) && !(textOf(claims, 'email') && claims['email_verified'] !== undefined);
}

/**
 * Who somebody is: `sub`, which never changes, and their address if the provider answers for it. An address and whether it is
 * verified come from the same answer.
 *
 * @param userinfo Null when nobody asked for it.
 * @throws OidcRefusal without a subject
 */
export function readIdentity(
  provider: { readonly label: string; readonly issuer: string },
  claims: Claims,
  userinfo: Claims | null,
): ProvedIdentity {
  const subject = textOf(claims, 'sub');
  if (subject === null || subject.length > 255) throw new OidcRefusal('subject');
  const source = userinfo !== null && textOf(userinfo, 'email') !== null ? userinfo : claims;
  const address = addressOf(provider, source, claims);
  const either = (name: string) => textOf(claims, name) ?? textOf(userinfo ?? {}, name);
  const names = [either('given_name'), either('family_name')].filter((name) => name !== null).join(' ');
  return {
    subject,
    label: address.email ?? textOf(source, 'email') ?? either('preferred_username') ?? subject,
    ...address,
    displayName: either('name') ?? (names || null),
  };
}

type Address = Pick<ProvedIdentity, 'email' | 'emailProblem'>;

function addressOf(
  { label, issuer }: { label: string; issuer: string },
  source: Claims,
  claims: Claims,
): Address {
  if (ENTRA.test(issuer)) return addressAtEntra(label, claims);
  const email = textOf(source, 'email');
  const refuse = (emailProblem: string): Address => ({ email: null, emailProblem });
  if (email === null)
    return refuse(
      `${label} did not send your e-mail address; ask an administrator to let it send the claim email.`,
    );
  if (!isTrue(source['email_verified']))
    return refuse(
      `${label} does not say that your address ${email} is verified (claim email_verified); verify it there, or ask an administrator.`,
    );
  // Anybody may have an account of Google with an address of elsewhere, and keeps it when they leave.
  if (issuer === GOOGLE && textOf(claims, 'hd')?.toLowerCase() !== email.split('@').at(-1)?.toLowerCase())
    return refuse(
      `This account of ${label} does not belong to the organization of ${email} (claim hd); sign in with the account of your organization.`,
    );
  return { email };
}

/**
 * Entra says of an address only with the optional claim `xms_edov` that its domain is the tenant's. The name with which a
 * member signs in is always of such a domain; that of a guest is another tenant's, and `idp` names that one.
 */
function addressAtEntra(label: string, claims: Claims): Address {
  const email = textOf(claims, 'email');
  if (email !== null && (isTrue(claims['xms_edov']) || isOne(claims['xms_edov']))) return { email };
  const isGuest = claims['idp'] !== undefined && claims['idp'] !== claims['iss'];
  const name = textOf(claims, 'preferred_username') ?? textOf(claims, 'upn');
  if (!isGuest && name?.includes('@')) return { email: name };
  return {
    email: null,
    emailProblem: `${label} does not say that your address is your own; ask an administrator to let it send the claims email and xms_edov.`,
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isOne(value: unknown): boolean {
  return value === 1 || value === '1';
}

function textOf(claims: Claims, name: string): string | null {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
