import { hashToken } from '../../identity/index.ts';
import { type ConditionScope, NOTHING_KNOWN } from '../../platform/index.ts';
import type { SiteAdmissions, SiteRow } from '../../store/index.ts';
import { bringsCredentials, type Visitor } from './read-visitor.ts';
import { type VisitorToken, verifyVisitorToken } from './verify-visitor-token.ts';
import { knownClaims } from './visitor-claims.ts';

/** What somebody may have of a site. */
export type SiteAccess =
  /** Everybody gets the same, so shared caches may keep it. */
  | { readonly kind: 'everybody'; readonly claims: ConditionScope }
  /** These visitors may see it, and no shared cache may keep it. */
  | { readonly kind: 'visitor'; readonly claims: ConditionScope }
  /** They may see it at the same address without its secrets, which cookies keep from now on. */
  | { readonly kind: 'enter'; readonly cookies: readonly NewCookie[] }
  /** They have to sign in there first. */
  | { readonly kind: 'sign-in'; readonly address: string }
  /** They may not see it; `reason` is one sentence for them. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** For them there is no site. */
  | { readonly kind: 'none' };

export interface NewCookie {
  readonly name: 'share' | 'visitor' | 'unsigned';
  readonly value: string;
  /** Absent for as long as the browser is open. */
  readonly maxAgeSeconds?: number;
}

/** How often somebody is sent to sign in within a minute: more is a loop, which a page explains better. */
const MAX_ATTEMPTS = 3;

const SHARE_COOKIE_SECONDS = 30 * 24 * 60 * 60;

/** What the rule looks at besides the visitor. */
export interface AccessInput {
  readonly site: SiteRow;
  /** The preview of the site that is read; null for the site itself. */
  readonly preview: { readonly keyHash: string } | null;
  readonly admissions: SiteAdmissions;
  /** Unseals the keys of the admissions. */
  readonly visitorKeys: () => readonly string[];
  /** The site's id and addresses, of which a token may name one. */
  readonly audiences: readonly string[];
  readonly now: Date;
}

/** The one rule of who may read a site, for every surface on which it is shown. */
export async function decideAccess(input: AccessInput, visitor: Visitor): Promise<SiteAccess> {
  const { site, preview } = input;
  if (preview !== null) return await decidePreview(preview, visitor);
  if (site.publishedAt === null) return await forMembers(visitor);
  const access = await decidePublished(input, visitor);
  if (access.kind === 'none' || access.kind === 'sign-in' || access.kind === 'refused') {
    const member = await forMembers(visitor);
    return member.kind === 'none' ? access : member;
  }
  return access;
}

/** Whoever the site is for: nobody reads what is only proposed but members, and who got its address with the key. */
async function decidePreview(
  { keyHash }: { readonly keyHash: string },
  visitor: Visitor,
): Promise<SiteAccess> {
  const { opened, known } = visitor;
  const opens = (key: string | null) => key !== null && hashToken(key) === keyHash;
  if (!opens(opened.shareKey) && !opens(known.shareKey) && !(await visitor.isMember()))
    return { kind: 'none' };
  if (!bringsCredentials(visitor)) return { kind: 'visitor', claims: NOTHING_KNOWN };
  const { shareKey } = opened;
  const isNew = shareKey !== null && opens(shareKey);
  return {
    kind: 'enter',
    cookies: isNew ? [{ name: 'share', value: shareKey, maxAgeSeconds: SHARE_COOKIE_SECONDS }] : [],
  };
}

async function forMembers(visitor: Visitor): Promise<SiteAccess> {
  return (await visitor.isMember()) ? { kind: 'visitor', claims: NOTHING_KNOWN } : { kind: 'none' };
}

async function decidePublished(input: AccessInput, visitor: Visitor): Promise<SiteAccess> {
  const { site, admissions } = input;
  if (site.visibility === 'share-link') {
    const { opened, known } = visitor;
    if (!isShared(admissions, opened.shareKey) && !isShared(admissions, known.shareKey))
      return { kind: 'none' };
  }
  const usesTokens = site.visibility === 'visitor-auth' || site.adaptiveContent;
  const opened =
    usesTokens && visitor.opened.token !== null ? await verify(input, visitor.opened.token) : null;
  const known = usesTokens && visitor.known.token !== null ? await verify(input, visitor.known.token) : null;
  if (site.visibility === 'visitor-auth') {
    if (opened !== null && 'refusal' in opened) return { kind: 'refused', reason: opened.refusal };
    if (opened === null && (known === null || 'refusal' in known)) return askToSignIn(input, visitor);
  }
  if (bringsCredentials(visitor)) return { kind: 'enter', cookies: cookiesFor(input, visitor, opened) };
  if (site.visibility !== 'share-link' && !usesTokens) return { kind: 'everybody', claims: NOTHING_KNOWN };
  const signed = known !== null && 'claims' in known ? known.claims : {};
  return { kind: 'visitor', claims: knownClaims(site, signed, visitor.known.unsigned) };
}

async function verify({ visitorKeys, audiences, now }: AccessInput, token: string): Promise<VisitorToken> {
  return await verifyVisitorToken(token, { keys: visitorKeys(), audiences, now });
}

function askToSignIn({ site }: AccessInput, visitor: Visitor): SiteAccess {
  if (site.fallbackUrl === null) {
    return {
      kind: 'refused',
      reason: 'This site is only for people who are signed in: open it from where you sign in.',
    };
  }
  if (visitor.attempts >= MAX_ATTEMPTS) {
    return {
      kind: 'refused',
      reason:
        'You were sent to sign in several times and came back without a sign-in token. Who runs the sign-in should check that it adds jwt_token to the address, and that this browser accepts cookies.',
    };
  }
  return { kind: 'sign-in', address: site.fallbackUrl };
}

function isShared({ shareHashes }: SiteAdmissions, key: string | null): boolean {
  return key !== null && shareHashes.has(hashToken(key));
}

/** Keeps what let the visitor in. A share link where none is needed is forgotten. */
function cookiesFor(
  { site, admissions, now }: AccessInput,
  visitor: Visitor,
  token: VisitorToken | null,
): readonly NewCookie[] {
  const cookies: NewCookie[] = [];
  const { shareKey } = visitor.opened;
  if (site.visibility === 'share-link' && shareKey !== null && isShared(admissions, shareKey)) {
    cookies.push({ name: 'share', value: shareKey, maxAgeSeconds: SHARE_COOKIE_SECONDS });
  }
  if (token !== null && 'claims' in token && visitor.opened.token !== null) {
    const maxAgeSeconds = (token.expiresAt.getTime() - now.getTime()) / 1000;
    cookies.push({ name: 'visitor', value: visitor.opened.token, maxAgeSeconds });
  }
  if (site.adaptiveContent && Object.keys(visitor.opened.unsigned).length > 0) {
    const unsigned = knownClaims(
      site,
      {},
      { ...visitor.known.unsigned, ...visitor.opened.unsigned },
    ).unsigned;
    cookies.push({ name: 'unsigned', value: JSON.stringify(unsigned) });
  }
  return cookies;
}
