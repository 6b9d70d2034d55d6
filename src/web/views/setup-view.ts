import { html, type Markup, safeHref } from '../../markup/index.ts';
import { homePath, setupPath, signInPath, statusPath } from '../addresses.ts';
import { plural } from '../format.ts';
import { renderLayout } from '../layout.ts';
import type {
  SetupConnection,
  SetupInstallation,
  SetupNeed,
  SetupProposal,
  SetupRequest,
} from '../setup-pages.ts';
import { isOwnApp, renderKeys } from './setup-keys-view.ts';

type User = { readonly displayName: string } | null;

/** The page for people without the key, while there is no App. */
export function renderSetupKeyForm(options: { readonly problem: string | null }): string {
  const { problem } = options;
  return renderLayout({
    title: 'Set up',
    main: html`<div class="narrow card">
<h1>Set up Docloom</h1>
<p>This server has no GitHub App yet. Its log contains the address that opens this page: search for <code>setup?key=</code>, and open that address or paste the key here.</p>
<form method="post" action="${setupPath}/key">
<div class="field">
<label for="docloom-key">Set-up key</label>
<input id="docloom-key" name="key" type="password" autocomplete="off" required maxlength="200" spellcheck="false"${problem ? html` aria-invalid="true" aria-describedby="docloom-key-problem"` : null}>
${problem ? html`<p class="error" id="docloom-key-problem" role="alert">${problem}</p>` : null}
</div>
<button type="submit">Continue</button>
</form>
<p class="small soft foot">Or <a href="${signInPath(setupPath)}">sign in</a> as an administrator.</p>
</div>`,
  });
}

/** The first of two steps: the name, the owner and the rights of the App. */
export function renderSetupForm(options: {
  readonly request: SetupRequest;
  readonly problem: string | null;
  readonly publicUrl: string;
  /** Why the stored App cannot be used; null when there is none. */
  readonly appProblem: string | null;
  /** What was just done. */
  readonly news: string | null;
  readonly user: User;
}): string {
  const { request, problem, publicUrl, appProblem, news } = options;
  return renderLayout({
    title: 'Set up',
    user: options.user,
    main: html`<div class="reading">
${renderNews(news)}
<h1>Create your GitHub App</h1>
<p class="lead">Docloom works as a GitHub App of your own. GitHub creates it in two clicks, and this server stores its keys, encrypted.</p>
${appProblem === null ? null : html`<div class="notice bad"><p><strong>The App that this server stored cannot be used.</strong> ${appProblem}</p></div>`}
${problem === null ? null : html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
<form method="post" action="${setupPath}/app" class="card">
${textField({
  name: 'github',
  label: 'GitHub',
  value: request.github,
  hint: 'github.com, or the address of your enterprise server.',
  required: true,
})}
${textField({
  name: 'organization',
  label: 'Organization that owns the App',
  value: request.organization,
  hint: 'As in its address on GitHub. Leave it empty for your personal account.',
})}
${textField({
  name: 'name',
  label: 'Name of the App',
  value: request.name,
  hint: 'It must be unique on GitHub; you can still change it there.',
  required: true,
})}
<fieldset>
<legend>What it may do</legend>
${choice({
  value: 'full',
  checked: !request.readOnly,
  label: 'Full',
  hint: 'Also opens pull requests and commits when somebody requests it: the first configuration, fixed links, exports.',
})}
${choice({
  value: 'read-only',
  checked: request.readOnly,
  label: 'Read-only',
  hint: 'Syncs docs and reports links. It can never write code.',
})}
</fieldset>
<button type="submit">Review</button>
</form>
<p class="small soft">GitHub will send its events to <code>${publicUrl}</code>, the <code>PUBLIC_URL</code> of this server. Do you have an App already? Then set <code>APP_ID</code>, <code>PRIVATE_KEY_PATH</code> and <code>WEBHOOK_SECRET</code>, and restart the server.</p>
</div>`,
  });
}

function renderNews(news: string | null): Markup | null {
  return news === null ? null : html`<p class="notice good" role="status">${news}</p>`;
}

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly required?: boolean;
}

function textField({ name, label, value, hint, required }: TextField): Markup {
  const id = `docloom-setup-${name}`;
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="text" value="${value}" maxlength="300" spellcheck="false" autocapitalize="none" aria-describedby="${id}-hint"${required ? html` required` : null}>
<p class="hint" id="${id}-hint">${hint}</p>
</div>`;
}

function choice(options: {
  readonly value: string;
  readonly checked: boolean;
  readonly label: string;
  readonly hint: string;
}): Markup {
  const id = `docloom-tier-${options.value}`;
  return html`<div class="choice">
<input type="radio" id="${id}" name="tier" value="${options.value}" aria-describedby="${id}-hint"${options.checked ? html` checked` : null}>
<div><label for="${id}">${options.label}</label>
<p class="hint" id="${id}-hint">${options.hint}</p></div>
</div>`;
}

/** The second step: what GitHub will be requested to create. The button leads to GitHub. */
export function renderSetupReview(options: {
  readonly proposal: SetupProposal;
  readonly state: string;
  readonly user: User;
}): string {
  const { proposal, state } = options;
  const { host, permissions, events } = proposal;
  return renderLayout({
    title: 'Review',
    user: options.user,
    main: html`<div class="reading">
<h1>What ${host} will create</h1>
<p class="lead">${host} shows the App’s name once more, creates it, and redirects back here.</p>
<form method="post" action="${safeHref(proposal.action)}?state=${state}" class="buttons">
<input type="hidden" name="manifest" value="${proposal.manifest}">
<button type="submit">Create the App on ${host}</button>
<a href="${setupPath}?step=app">Change something</a>
</form>
<section aria-labelledby="docloom-permissions"><h2 id="docloom-permissions">Permissions</h2>
<dl class="needs">
${permissions.map(renderNeed)}</dl></section>
<section aria-labelledby="docloom-events"><h2 id="docloom-events">Events</h2>
<dl class="needs">
${events.map(renderNeed)}</dl></section>
</div>`,
  });
}

function renderNeed({ name, level, reason }: SetupNeed): Markup {
  return html`<div><dt>${titleOf(name)}${level === undefined ? null : html` <span class="level">${level === 'write' ? 'read and write' : 'read'}</span>`}</dt><dd>${reason}</dd></div>
`;
}

/** `pull_requests` becomes “Pull requests”, as in GitHub's settings. */
function titleOf(name: string): string {
  const words = name === 'statuses' ? 'commit statuses' : name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The App of this server, and what is left to do. */
export function renderConnectedApp(options: {
  readonly connection: SetupConnection;
  /** What was just done, or could not be done. */
  readonly news: string | null;
  readonly problem: string | null;
  readonly now: Date;
  readonly user: User;
}): string {
  const { connection, news, problem, now } = options;
  const { details } = connection;
  return renderLayout({
    title: 'GitHub App',
    user: options.user,
    main: html`<div class="reading">
${renderNews(news)}
${problem === null ? null : html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
${'problem' in details ? renderUnreachable(connection, details.problem) : renderApp(connection, details)}
${isOwnApp(connection) ? renderKeys(connection, { now, isOpen: news !== null || problem !== null || 'problem' in details }) : null}
<p class="small soft">The App’s id is ${connection.appId}; its keys come from ${
      connection.source === 'environment'
        ? html`the settings of this server`
        : html`this page, and are stored encrypted in the database`
    }. <code>docloom doctor</code> checks the whole set-up and says what to do.</p>
</div>`,
  });
}

function renderUnreachable({ host }: SetupConnection, problem: string): Markup {
  return html`<h1>Connected to ${host}</h1>
<div class="notice bad"><p>${problem}</p></div>`;
}

function renderApp(
  { host, repositories }: SetupConnection,
  app: Extract<SetupConnection['details'], { name: string }>,
): Markup {
  const { name, installations, missing } = app;
  const install = safeHref(`${app.url.replace(/\/$/, '')}/installations/new`);
  const isInstalled = installations.length > 0;
  return html`<h1>${isInstalled ? 'Connected to' : 'One step left on'} ${host}</h1>
<p class="lead">This server works as the GitHub App <a href="${safeHref(app.url)}">${name}</a>${app.owner === '' ? null : html` of ${app.owner}`}, ${app.readOnly ? 'read-only' : 'with all permissions'}.</p>
${
  missing.length === 0
    ? null
    : html`<div class="notice bad"><p><strong>The App lacks something.</strong> Add it in the App’s settings on ${host}, under <em>Permissions &amp; events</em>.</p>
<dl class="needs">${missing.map(renderNeed)}</dl></div>`
}
${
  isInstalled
    ? html`<p class="buttons"><a class="button" href="${homePath}">See the spaces</a> <a href="${statusPath}">Status of each repository</a></p>
<section aria-labelledby="docloom-installations"><h2 id="docloom-installations">Installed on</h2>
<p>${plural(app.installationCount, 'account')}${
        repositories === 0
          ? `; ${app.installationCount === 1 ? 'its' : 'their'} repositories appear within a minute`
          : `, ${repositories === 1 ? '1 repository' : `${repositories} repositories`}`
      }.</p>
<ul class="plain rows">
${installations.slice(0, 100).map(renderInstallation)}</ul>
<p><a href="${install}">Install it elsewhere</a></p></section>`
    : html`<p>Install it on the repositories whose docs should become pages. Each is synced immediately.</p>
<p><a class="button" href="${install}">Install ${name}</a></p>`
}`;
}

function renderInstallation({ account, url, repositories, suspended, missing }: SetupInstallation): Markup {
  const [tone, words] = suspended
    ? ['wait', 'Suspended']
    : missing.length > 0
      ? ['bad', 'Not all granted']
      : ['good', 'Works'];
  return html`<li><div class="card-head"><a href="${safeHref(url)}">${account}</a> <span class="state ${tone ?? ''}">${words ?? ''}</span></div>
<p class="small soft">${repositories === 'all' ? 'All repositories' : 'Selected repositories'}${
    missing.length === 0 ? null : html`. An owner has to accept: ${missing.map(titleOf).join(', ')}`
  }</p></li>
`;
}
