/** The identity room: who somebody is, by their sessions and tokens, and how people sign in. */
export type { LinkPurpose, RequestOrigin } from '../store/index.ts';
export { AccountProblem, isInvisible } from './account-input.ts';
export { type Accounts, openAccounts } from './accounts/accounts.ts';
export type { OwnAccount } from './accounts/own-account.ts';
export type { StartedSession } from './begin-session.ts';
export { findActor, findBearer, findLiveToken } from './find-bearer.ts';
export { createGitHubSignIn, type GitHubSignIn } from './github/github-sign-in.ts';
export type { GitHubClient } from './github/github-user.ts';
export { admitByInvite } from './invitations/admit-by-invite.ts';
export {
  type Invitation,
  InvitationEnded,
  type Invitations,
  type InvitePass,
  openInvitations,
} from './invitations/invitations.ts';
export { inviteAddress, inviteAddressInMail } from './invitations/mail-proof.ts';
export {
  type MailTemplate,
  type MailValues,
  writeMail,
} from './mail/mail-templates.ts';
export { type Mailer, type MayHaveMail, mailJob, type OutgoingMail, openMailer } from './mail/mailer.ts';
export { checkMailServer, MailProblem, sendMail } from './mail/send-mail.ts';
export {
  isMailAddress,
  parseMailAddress,
  parseSmtpUrl,
  type SmtpSettings,
} from './mail/smtp-settings.ts';
export type { DescribedClaim, DescribedClaims } from './oidc/describe-answer.ts';
export { createOidcSignIn, type OidcSignIn, type OidcTest } from './oidc/oidc-sign-in.ts';
export { DEFAULT_SCOPES, type OidcService, oidcServiceOf } from './oidc/service.ts';
export { MAX_PASSWORD, MIN_PASSWORD } from './passwords/check-new-password.ts';
export { TooManySignIns } from './passwords/hash-password.ts';
export { AdmissionRefused } from './providers/admit-user.ts';
export { openProviderLinks, type ProviderLinks } from './providers/provider-links.ts';
export { LinkFailed, SignInFailed } from './providers/provider-session.ts';
export type { SignInTest, TestOutcome } from './providers/sign-in-test.ts';
export { isRecoveryCode } from './recovery-codes.ts';
export { CertificateProblem, readCertificate } from './saml/certificate.ts';
export {
  certificateFingerprint,
  type DescribedAnswer,
  type DescribedSignature,
} from './saml/describe-answer.ts';
export { createSamlSignIn, type SamlSignIn, type SamlTest } from './saml/saml-sign-in.ts';
export { type SamlService, serviceOf } from './saml/service.ts';
export { createSessionStore, type Session, type SessionStore, type SignIn } from './session-store.ts';
export { type KnownBrowser, networkOf, TooManyAttempts } from './sign-in/attempts.ts';
export { openSsoLogins, type ProviderLogin, type SsoLogins } from './sign-in/sso-logins.ts';
export { openSiteReaders, type ReaderPlace, type SiteReaders } from './site-readers.ts';
export { hashToken, newTokenText, tokenPrefix } from './token-text.ts';
