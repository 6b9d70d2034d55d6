import { html, type Markup, safeHref } from '../../markup/index.ts';
import { homePath, SIGN_IN_PATHS, setupPath } from '../addresses.ts';
import type { SignInProvider } from '../deps.ts';
import { renderLayout } from '../layout.ts';
import { textInput } from './text-input.ts';

/** The longest e-mail address, in characters (RFC 5321). */
const MAX_EMAIL = 254;
/** In characters; longer passwords are refused where they are chosen. */
const MAX_PASSWORD_INPUT = 256;

/** How people can sign in at this moment. */
export interface SignInMethods {
  /** Whether there are accounts with passwords. */
  readonly password: boolean;
  /** Whether links are mailed. */
  readonly link: boolean;
  /** Whether the single sign-on of an organization is found by an address. */
  readonly sso: boolean;
  readonly providers: readonly SignInProvider[];
}

export interface SignInOptions {
  /** The path to open afterwards. */
  readonly next: string;
  readonly methods: SignInMethods;
  /** Why the last attempt failed, and with which method. */
  readonly problem?: { readonly method: 'password' | 'link' | 'token'; readonly sentence: string } | null;
  /** The address that was entered. */
  readonly email?: string;
  /** What was just done. */
  readonly news?: string | null;
}

/** The home page for people who are not signed in: what Docloom is, and the sign-in form. */
export function renderWelcome(options: SignInOptions & { readonly isConnected: boolean }): string {
  return renderLayout({
    title: 'Welcome',
    main: html`<div class="welcome">
<div>
<h1>Your docs, woven into pages</h1>
<p class="lead">Docloom keeps documentation in a git repository and its pages in sync, and reports broken links before they are merged.</p>
<ul class="promises">
<li>Every push becomes pages, and the commit’s status says what is live.</li>
<li>Every pull request gets a report of the links that it breaks, also in files that it does not touch.</li>
<li>Every failure ends in a sentence with the file and the line.</li>
</ul>
</div>
<div class="card">
${
  options.isConnected
    ? null
    : html`<h2>Set up</h2>
<p>This server has no GitHub App yet. The address in its log opens the page that creates one.</p>
<p><a class="button" href="${setupPath}">Set up</a></p>`
}
<h2>Sign in</h2>
${renderMethods(options)}
</div>
</div>`,
  });
}

/** The sign-in form alone, for people who opened another page. */
export function renderSignIn(options: SignInOptions): string {
  return renderLayout({
    title: 'Sign in',
    main: html`<div class="narrow card">
<h1>Sign in</h1>
${renderMethods(options)}
</div>`,
  });
}

function renderMethods(options: SignInOptions): Markup {
  const { methods, news, problem } = options;
  const others = methods.password || methods.link || methods.sso || methods.providers.length > 0;
  const token = tokenForm(options);
  return html`${news ? html`<p class="notice good" role="status">${news}</p>` : null}
${methods.providers.length === 0 ? null : html`<ul class="plain sign-in-providers">${methods.providers.map(providerLink)}</ul>`}
${methods.password ? passwordForm(options) : null}
${methods.link ? linkForm(options) : null}
${methods.sso ? ssoForm({ next: options.next, label: 'Or use single sign-on', isMore: true }) : null}
${others ? html`<details class="sign-in-more"${problem?.method === 'token' ? html` open` : null}><summary>Sign in with an API token</summary>${token}</details>` : token}`;
}

function providerLink({ label, path }: SignInProvider): Markup {
  return html`<li><a class="button" href="${safeHref(path)}">${label}</a></li>`;
}

function passwordForm({ next, problem, email }: SignInOptions): Markup {
  return html`<form method="post" action="${SIGN_IN_PATHS.password}">
<input type="hidden" name="next" value="${next}">
${emailInput({ value: email ?? '', problem: problem?.method === 'password' ? problem.sentence : null })}
${textInput({
  id: 'docloom-password',
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  maxLength: MAX_PASSWORD_INPUT,
})}
<p class="buttons"><button type="submit">Sign in</button> <a href="${SIGN_IN_PATHS.forgot}">Forgot the password?</a></p>
</form>`;
}

function linkForm({ next, problem, email }: SignInOptions): Markup {
  return html`<form method="post" action="${SIGN_IN_PATHS.requestLink}" class="sign-in-more">
<input type="hidden" name="next" value="${next}">
${textInput({
  id: 'docloom-link-email',
  name: 'email',
  label: 'Or get a link by mail',
  type: 'email',
  autocomplete: 'email',
  maxLength: MAX_EMAIL,
  value: email ?? '',
  hint: 'The link signs you in once, within 15 minutes.',
  problem: problem?.method === 'link' ? problem.sentence : null,
})}
<button type="submit" class="quiet">Mail me a link</button>
</form>`;
}

function tokenForm({ next, problem }: SignInOptions): Markup {
  return html`<form method="post" action="${SIGN_IN_PATHS.token}">
<input type="hidden" name="next" value="${next}">
${textInput({
  id: 'docloom-token',
  name: 'token',
  label: 'API token',
  type: 'password',
  autocomplete: 'off',
  maxLength: 512,
  hint: html`Create one on the server with <code>docloom token create</code>. You stay signed in for 30 days, or until you have not been here for 7.`,
  problem: problem?.method === 'token' ? problem.sentence : null,
})}
<button type="submit">Sign in</button>
</form>`;
}

/** Asks for the address by which the single sign-on of an organization is found. */
export function renderSsoSearch(options: {
  readonly next: string;
  readonly email: string;
  readonly problem: string | null;
}): string {
  return renderLayout({
    title: 'Single sign-on',
    main: html`<div class="narrow card">
<h1>Single sign-on</h1>
<p>Enter your address in your organization, to go to where it signs you in.</p>
${ssoForm({ ...options, label: 'E-mail address', isMore: false })}
<p class="small soft foot"><a href="/login">Back to signing in</a></p>
</div>`,
  });
}

/** Where somebody with such an address signs in. */
export function renderSsoLogins(logins: readonly SignInProvider[]): string {
  return renderLayout({
    title: 'Single sign-on',
    main: html`<div class="narrow card">
<h1>Single sign-on</h1>
<ul class="plain sign-in-providers">${logins.map(providerLink)}</ul>
<p class="small soft foot"><a href="/login">Back to signing in</a></p>
</div>`,
  });
}

function ssoForm(options: {
  readonly next: string;
  readonly label: string;
  /** Below other ways to sign in. */
  readonly isMore: boolean;
  readonly email?: string;
  readonly problem?: string | null;
}): Markup {
  return html`<form method="post" action="${SIGN_IN_PATHS.sso}"${options.isMore ? html` class="sign-in-more"` : null}>
<input type="hidden" name="next" value="${options.next}">
${textInput({
  id: 'docloom-sso-email',
  name: 'email',
  label: options.label,
  type: 'email',
  autocomplete: 'email',
  maxLength: MAX_EMAIL,
  value: options.email ?? '',
  hint: 'The domain of your address says which organization signs you in.',
  problem: options.problem ?? null,
})}
<button type="submit" class="quiet">Continue</button>
</form>`;
}

/** Requests a link for a new password. */
export function renderForgot(options: {
  readonly canMail: boolean;
  /** What was entered before. */
  readonly email?: string;
  readonly problem: string | null;
}): string {
  return renderLayout({
    title: 'Forgot the password',
    main: html`<div class="narrow card">
<h1>Choose a new password</h1>
${
  options.canMail
    ? html`<form method="post" action="${SIGN_IN_PATHS.forgot}">
${emailInput({ hint: 'A link that works once, within 15 minutes, is mailed to it.', value: options.email ?? '', problem: options.problem })}
<button type="submit">Mail me a link</button>
</form>`
    : html`<p>This server sends no mails, so it cannot mail a link. Ask its operator: with a token of <code>docloom token create</code> you can sign in.</p>`
}
<p class="small soft foot"><a href="/login">Back to signing in</a> · <a href="${SIGN_IN_PATHS.recovery}">Use a recovery code</a></p>
</div>`,
  });
}

/** What a link from a mail does, when its button is pressed: programs that only read the address do nothing. */
export function renderLinkConfirmation(options: {
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
  readonly action: string;
  readonly key: string;
}): string {
  return renderLayout({
    title: options.title,
    main: html`<div class="narrow card">
<h1>${options.title}</h1>
<p>${options.sentence}</p>
<form method="post" action="${options.action}">
<input type="hidden" name="key" value="${options.key}">
<button type="submit">${options.button}</button>
</form>
</div>`,
  });
}

/** Where somebody with a link chooses a new password. */
export function renderNewPassword(options: {
  readonly key: string;
  readonly problem: string | null;
}): string {
  return renderLayout({
    title: 'Choose a new password',
    main: html`<div class="narrow card">
<h1>Choose a new password</h1>
<form method="post" action="${SIGN_IN_PATHS.newPassword}">
<input type="hidden" name="key" value="${options.key}">
${newPasswordInput(options.problem)}
<button type="submit">Change the password</button>
</form>
<p class="small soft foot">All your sessions end; then you sign in with the new password.</p>
</div>`,
  });
}

/** The address of an account, with which people sign in. */
export function emailInput(
  field: Pick<Parameters<typeof textInput>[0], 'value' | 'hint' | 'problem'>,
): Markup {
  return textInput({
    id: 'docloom-email',
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    maxLength: MAX_EMAIL,
    ...field,
  });
}

export function newPasswordInput(problem: string | null): Markup {
  return textInput({
    id: 'docloom-new-password',
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    maxLength: MAX_PASSWORD_INPUT,
    hint: 'At least 12 characters, of any kind; four unrelated words are good. Passwords that are known from leaks are refused.',
    problem,
  });
}

/** Signing in with a recovery code. */
export function renderRecovery(options: { readonly email: string; readonly problem: string | null }): string {
  return renderLayout({
    title: 'Recovery code',
    main: html`<div class="narrow card">
<h1>Use a recovery code</h1>
<p>For administrators of an organization whose single sign-on does not work. Each code works once.</p>
<form method="post" action="${SIGN_IN_PATHS.recovery}">
${emailInput({ value: options.email, problem: options.problem })}
${textInput({
  id: 'docloom-code',
  name: 'code',
  label: 'Recovery code',
  type: 'text',
  autocomplete: 'one-time-code',
  maxLength: 60,
})}
<button type="submit">Sign in</button>
</form>
<p class="small soft foot"><a href="${homePath}">Back</a></p>
</div>`,
  });
}
