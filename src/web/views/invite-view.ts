import type { Invitation, InvitePass } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { homePath, invitePath, organizationPath, signInPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { renderNews } from './organization-frame.ts';
import { describeRole, readRole } from './role-words.ts';
import { emailInput, newPasswordInput } from './sign-in-view.ts';
import { textInput } from './text-input.ts';

/** Who looks at an invitation, and what they can do with it. */
export type InviteVisitor =
  | { readonly is: 'member' | 'invited' | 'somebody-else' | 'unconfirmed'; readonly displayName: string }
  | { readonly is: 'nobody' };

/** An invitation, before it is accepted. */
export function renderInvite(options: {
  readonly invitation: Invitation;
  readonly pass: InvitePass;
  readonly visitor: InviteVisitor;
  readonly canMail: boolean;
  readonly problem: string | null;
  /** What was entered. */
  readonly entered: { readonly displayName: string; readonly email: string };
}): string {
  const { invitation, visitor, problem } = options;
  const { organization, invitedBy, role } = invitation;
  return renderLayout({
    title: `Join ${organization}`,
    user: visitor.is === 'nobody' ? null : visitor,
    main: html`<div class="narrow">
<h1>Join ${organization}</h1>
<p class="lead">${invitedBy === null ? 'You are invited' : `${invitedBy} invites you`} to join <strong>${organization}</strong> ${describeRole(readRole(role ?? '') ?? null)}.</p>
${renderNews({ problem })}
${visitor.is === 'nobody' ? renderForNobody(options) : renderForUser(options, visitor.is, visitor.displayName)}
</div>`,
  });
}

type Options = Parameters<typeof renderInvite>[0];

function renderForUser(
  options: Options,
  is: Exclude<InviteVisitor['is'], 'nobody'>,
  displayName: string,
): Markup {
  const { organizationId, organization } = options.invitation;
  switch (is) {
    case 'member':
      return html`<p>You are a member already. <a href="${organizationPath(organizationId)}">Open ${organization}</a>.</p>`;
    case 'somebody-else':
      return html`<p class="notice wait">This invitation is for another e-mail address than that of ${displayName}. Sign out and open it again, or ask for an invitation to your address.</p>`;
    case 'unconfirmed':
      return html`<p>You are signed in as ${displayName}, whose e-mail address is not confirmed yet. Confirm it with a link that is mailed to you; then you can accept.</p>
${mailForm(options, null)}`;
    case 'invited':
      return html`<form method="post" action="${invitePath}/accept" class="card">
${passFields(options.pass)}
<p>You are signed in as ${displayName}.</p>
<button type="submit">Accept the invitation</button>
<p class="hint account-hint">Are you somebody else? Sign out and open the invitation again.</p>
</form>`;
  }
}

function renderForNobody(options: Options): Markup {
  const { invitation, canMail } = options;
  const { proved, email } = invitation;
  if (proved?.hasAccount) return signIn('You have an account with your address.', true);
  const address = proved?.email ?? (canMail ? null : email);
  if (address !== null) return html`${accountForm(options, address)}${signIn('Do you have an account?')}`;
  if (canMail)
    return html`${mailForm(options, email === null ? options.entered.email : null)}${signIn('Do you have an account?')}`;
  return html`<p class="notice wait">This server sends no mails, so it cannot check an address: a link admits only people who have an account. Ask whoever gave you the link for an invitation to your own e-mail address.</p>
${signIn('Do you have an account?')}`;
}

function signIn(sentence: string, isMain = false): Markup {
  return html`<p>${sentence} <a${isMain ? html` class="button"` : null} href="${signInPath(invitePath)}">Sign in</a>${isMain ? null : html` to accept the invitation with it.`}</p>`;
}

function passFields({ secret, key }: InvitePass): Markup {
  return html`<input type="hidden" name="secret" value="${secret}">
${key === null ? null : html`<input type="hidden" name="key" value="${key}">`}`;
}

function accountForm({ pass, entered }: Options, email: string): Markup {
  return html`<form method="post" action="${invitePath}/account" class="card">
<h2>Create your account</h2>
${passFields(pass)}
<p>Your e-mail address is <strong>${email}</strong>.</p>
<input type="hidden" name="username" autocomplete="username" value="${email}">
${textInput({
  id: 'docloom-name',
  name: 'displayName',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  maxLength: 100,
  value: entered.displayName,
})}
${newPasswordInput(null)}
<button type="submit">Create the account and join</button>
</form>`;
}

/** @param email what was entered; null for the address that the invitation is for */
function mailForm({ pass }: Options, email: string | null): Markup {
  return html`<form method="post" action="${invitePath}/mail" class="card">
<h2>Continue by mail</h2>
${passFields(pass)}
${
  email === null
    ? html`<p>A link is mailed to the address that the invitation is for. It shows that the address is yours.</p>`
    : emailInput({
        value: email,
        hint: 'A link is mailed to it. It shows that the address is yours; then you choose a password, or sign in.',
      })
}
<button type="submit">Mail me a link</button>
</form>`;
}

/** Why an invitation cannot be accepted. */
export function renderEndedInvite(sentence: string, user: { readonly displayName: string } | null): string {
  return renderLayout({
    title: 'Invitation',
    user,
    main: html`<div class="narrow"><h1>This invitation does not work</h1>
<p class="lead">${sentence}</p>
<p><a href="${homePath}">Go to the spaces</a></p></div>`,
  });
}
