import type { OwnAccount, ProviderLinks } from '../../identity/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { ACCOUNT_PATHS, accountPath, GITHUB_PATHS } from '../addresses.ts';
import { plural } from '../format.ts';
import { renderLayout } from '../layout.ts';
import { renderAccountTabs } from './account-tabs.ts';
import { renderProviderLinks } from './provider-link-view.ts';
import { newPasswordInput } from './sign-in-view.ts';
import { textInput } from './text-input.ts';

type User = { readonly displayName: string };

/** An organization for which the user may make recovery codes. */
export interface RecoverableOrganization {
  readonly id: string;
  readonly title: string;
}

export type AccountForm = 'name' | 'password' | 'email' | 'new-email' | 'github';

/** One's own account: name, address, password, recovery codes. */
export function renderAccount(options: {
  readonly account: OwnAccount;
  /** Whether this session may change it: who signed in with a token acts for somebody, but is not them. */
  readonly mayChange: boolean;
  /** Whether it may change the name, at least. */
  readonly mayRename: boolean;
  readonly canMail: boolean;
  /** The login of the linked GitHub account, null for none; null where nobody signs in with GitHub. */
  readonly gitHub: { readonly login: string | null } | null;
  /** The organizations' single sign-on at which the user may have an account. */
  readonly providers: Awaited<ReturnType<ProviderLinks['list']>>;
  readonly organizations: readonly RecoverableOrganization[];
  /** Whether mentions, replies and requests are mailed. */
  readonly wantsMail: boolean;
  /** `entered` is what a field of the form had. */
  readonly problem: {
    readonly form: AccountForm;
    readonly sentence: string;
    readonly entered?: string;
  } | null;
  readonly news: string | null;
  readonly user: User;
}): string {
  const { account, mayChange, problem, news } = options;
  return renderLayout({
    title: 'Account',
    user: options.user,
    main: html`<h1>Your account</h1>
${renderAccountTabs(ACCOUNT_PATHS.account)}
<div class="reading">
${news === null ? null : html`<p class="notice good" role="status">${news}</p>`}
${options.mayRename ? nameForm(account, problem) : null}
${notificationForm(options)}
${
  mayChange
    ? html`${emailForm(options)}
${passwordForm(account, problem)}
${gitHubForm(options)}
${renderProviderLinks(options.providers)}
${options.organizations.length === 0 ? null : recoveryForms(options)}`
    : html`<p>You are signed in as ${account.displayName}, ${account.email}.</p>
<p class="notice wait">This session cannot change ${options.mayRename ? 'the rest of the account' : 'the account'}, because it was begun with an API token, a recovery code or an organization’s provider. Sign in with the password or a link by mail to do so.</p>
${options.organizations.length === 0 ? null : recoveryForms(options)}`
}
</div>`,
  });
}

type Problem = Parameters<typeof renderAccount>[0]['problem'];

function problemOf(problem: Problem, form: AccountForm): string | null {
  return problem?.form === form ? problem.sentence : null;
}

function nameForm({ displayName }: OwnAccount, problem: Problem): Markup {
  return html`<form method="post" action="${accountPath}/name" class="card">
<h2>Name</h2>
${textInput({
  id: 'docloom-name',
  name: 'displayName',
  label: 'Your name, as others see it',
  type: 'text',
  autocomplete: 'name',
  maxLength: 100,
  value: (problem?.form === 'name' ? problem.entered : null) ?? displayName,
  problem: problemOf(problem, 'name'),
})}
<button type="submit">Save</button>
</form>`;
}

function notificationForm({ wantsMail, canMail }: Parameters<typeof renderAccount>[0]): Markup {
  return html`<form method="post" action="${accountPath}/notifications" class="card" id="docloom-notifications">
<h2>Notifications</h2>
<p class="field"><label><input type="checkbox" name="mail"${wantsMail ? html` checked` : null}> Mail me when somebody mentions me, replies to me or asks for my review</label></p>
${canMail ? null : html`<p class="hint">This server sends no mail now; you find them on your home page.</p>`}
<button type="submit">Save</button>
</form>`;
}

function emailForm(options: Parameters<typeof renderAccount>[0]): Markup {
  const { account, canMail, problem } = options;
  const sentence = problemOf(problem, 'email');
  return html`<section class="card account-part" aria-labelledby="docloom-email-title">
<h2 id="docloom-email-title">E-mail address</h2>
<p>${account.email} <span class="state ${account.isEmailVerified ? 'good' : 'wait'}">${account.isEmailVerified ? 'Confirmed' : 'Not confirmed'}</span></p>
${sentence === null ? null : html`<p class="error" role="alert">${sentence}</p>`}
${
  account.isEmailVerified || !canMail
    ? null
    : html`<form method="post" action="${accountPath}/verify-email"><button type="submit" class="quiet">Mail me a link that confirms it</button></form>`
}
${
  canMail
    ? newEmailForm(account, problem?.form === 'new-email' ? problem : null)
    : html`<p class="hint">This server sends no mail, so nobody can change their address here. Whoever runs it sets a mail server first (<code>SMTP_URL</code>).</p>`
}
</section>`;
}

function newEmailForm({ hasPassword }: OwnAccount, problem: Problem): Markup {
  return html`<form method="post" action="${accountPath}/email" class="account-change">
${problem === null ? null : html`<p class="error" role="alert">${problem.sentence}</p>`}
${textInput({
  id: 'docloom-new-email',
  name: 'email',
  label: 'New address',
  type: 'email',
  autocomplete: 'email',
  maxLength: 254,
  value: problem?.entered ?? '',
})}
${
  hasPassword
    ? textInput({
        id: 'docloom-email-password',
        name: 'current',
        label: 'Your password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: 256,
      })
    : null
}
<button type="submit" class="quiet">Mail a link to the new address</button>
<p class="hint account-hint">The address changes when you open the link; your other sessions end then.</p>
</form>`;
}

function passwordForm({ hasPassword, email }: OwnAccount, problem: Problem): Markup {
  const sentence = problemOf(problem, 'password');
  return html`<form method="post" action="${accountPath}/password" class="card">
<h2>Password</h2>
<input type="hidden" name="username" autocomplete="username" value="${email}">
${
  hasPassword
    ? textInput({
        id: 'docloom-current-password',
        name: 'current',
        label: 'Current password',
        type: 'password',
        autocomplete: 'current-password',
        maxLength: 256,
      })
    : html`<p>Your account has no password yet.</p>`
}
${newPasswordInput(sentence)}
<button type="submit">${hasPassword ? 'Change the password' : 'Set a password'}</button>
<p class="hint account-hint">Your other sessions end.</p>
</form>`;
}

function gitHubForm({ gitHub, problem }: Parameters<typeof renderAccount>[0]): Markup | null {
  if (gitHub === null) return null;
  const sentence = problemOf(problem, 'github');
  return html`<section class="card account-part" aria-labelledby="docloom-github">
<h2 id="docloom-github">GitHub</h2>
${sentence === null ? null : html`<p class="error" role="alert">${sentence}</p>`}
${
  gitHub.login === null
    ? html`<p>Link your GitHub account to sign in with it.</p>
<p><a class="button quiet" href="${GITHUB_PATHS.link}">Link a GitHub account</a></p>`
    : html`<p>Linked to the GitHub account ${gitHub.login}: you sign in with it.</p>
<form method="post" action="${GITHUB_PATHS.unlink}"><button type="submit" class="quiet">Unlink it</button></form>`
}
</section>`;
}

function recoveryForms({ account, organizations }: Parameters<typeof renderAccount>[0]): Markup {
  return html`<section class="card account-part" aria-labelledby="docloom-recovery">
<h2 id="docloom-recovery">Recovery codes</h2>
<p>With a recovery code an administrator signs in when the single sign-on of the organization does not work. Each works once; new ones replace those from before.</p>
<ul class="plain rows">
${organizations.map(({ id, title }) => {
  const left = account.recoveryCodes.get(id) ?? 0;
  return html`<li><form method="post" action="${accountPath}/recovery-codes">
<input type="hidden" name="organizationId" value="${id}">
<p><strong>${title}</strong>: ${left === 0 ? 'no codes' : `${plural(left, 'code')} left`}</p>
<button type="submit" class="quiet">Make new codes <span class="visually-hidden">for ${title}</span></button>
</form></li>`;
})}
</ul>
</section>`;
}

/** New recovery codes, shown this once. */
export function renderRecoveryCodes(options: {
  readonly organization: RecoverableOrganization;
  readonly codes: readonly string[];
  readonly user: User;
}): string {
  const { organization, codes } = options;
  return renderLayout({
    title: 'Recovery codes',
    user: options.user,
    main: html`<div class="reading">
<h1>Recovery codes for ${organization.title}</h1>
<p class="lead">They are shown this once. Store them where you find them when single sign-on does not work.</p>
<ul class="plain recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<form method="post" action="${accountPath}/recovery-codes.txt" class="buttons">
<input type="hidden" name="codes" value="${codes.join(' ')}">
<button type="submit">Download as text</button>
<a href="${accountPath}">Done</a>
</form>
</div>`,
  });
}
