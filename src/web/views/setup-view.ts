import { homePath, setupPath, signInPath, statusPath } from '../addresses.ts';
import { plural } from '../format.ts';
import { html, type Markup, safeHref } from '../html.ts';
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

/** Who comes without the key, while there is no App yet. */
export function renderSetupDoor(options: { readonly problem: string | null }): string {
  const { problem } = options;
  return renderLayout({
    title: 'Set up',
    main: html`<div class="narrow card">
<h1>Set up Docloom</h1>
<p>This server has no GitHub App yet. Its log holds the address that opens this page: look for <code>setup?key=</code>, and open that address or paste the key here.</p>
<form method="post" action="${setupPath}/key">
<div class="field">
<label for="docloom-key">Set-up key</label>
<input id="docloom-key" name="key" type="password" autocomplete="off" required maxlength="200" spellcheck="false"${problem ? html` aria-invalid="true" aria-describedby="docloom-key-problem"` : null}>
${problem ? html`<p class="error" id="docloom-key-problem" role="alert">${problem}</p>` : null}
</div>
<button type="submit">Go on</button>
</form>
<p class="small soft foot">Or <a href="${signInPath(setupPath)}">sign in</a> as an administrator.</p>
</div>`,
  });
}

/** What the App shall be: the first of two steps. */
export function renderSetupForm(options: {
  readonly request: SetupRequest;
  readonly problem: string | null;
  readonly publicUrl: string;
  readonly trouble: string | null;
  /** Something that was done just before. */
  readonly news: string | null;
  readonly user: User;
}): string {
  const { request, problem, publicUrl, trouble, news } = options;
  return renderLayout({
    title: 'Set up',
    user: options.user,
    main: html`<div class="reading">
${renderNews(news)}
<h1>Make your GitHub App</h1>
<p class="lead">Docloom works as a GitHub App of your own. GitHub makes it in two clicks, and this server keeps its keys, encrypted.</p>
${trouble === null ? null : html`<div class="notice bad"><p><strong>The App that this server kept cannot be used.</strong> ${trouble}</p></div>`}
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
  hint: 'GitHub wants it to be unique; you can still change it there.',
  required: true,
})}
<fieldset>
<legend>What it may do</legend>
${choice({
  value: 'full',
  checked: !request.readOnly,
  label: 'Full',
  hint: 'Also opens pull requests and commits where somebody asked for it: the first configuration, fixed links, exports.',
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
<p class="small soft">GitHub will send its events to <code>${publicUrl}</code>, the <code>PUBLIC_URL</code> of this server. Is there an App already? Then set <code>APP_ID</code>, <code>PRIVATE_KEY_PATH</code> and <code>WEBHOOK_SECRET</code>, and start the server anew.</p>
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

/** What GitHub is about to be asked for: the second step, whose button leads to GitHub. */
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
<h1>What ${host} will be asked for</h1>
<p class="lead">${host} shows the App’s name once more, makes it, and leads back here.</p>
<form method="post" action="${safeHref(proposal.action)}?state=${state}" class="buttons">
<input type="hidden" name="manifest" value="${proposal.manifest}">
<button type="submit">Make the App on ${host}</button>
<a href="${setupPath}">Change something</a>
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

/** `pull_requests` is “Pull requests”, as GitHub's settings say it. */
function titleOf(name: string): string {
  const words = name === 'statuses' ? 'commit statuses' : name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The App that this server works as, and what is left to do. */
export function renderSetupDone(options: {
  readonly connection: SetupConnection;
  /** Something that was done just before, or could not be done. */
  readonly news: string | null;
  readonly problem: string | null;
  readonly now: Date;
  readonly user: User;
}): string {
  const { connection, news, problem, now } = options;
  const { known } = connection;
  return renderLayout({
    title: 'GitHub App',
    user: options.user,
    main: html`<div class="reading">
${renderNews(news)}
${problem === null ? null : html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
${'problem' in known ? renderUnknown(connection, known.problem) : renderKnown(connection, known)}
${isOwnApp(connection) ? renderKeys(connection, { now, isOpen: news !== null || problem !== null || 'problem' in known }) : null}
<p class="small soft">The App’s id is ${connection.appId}; its keys come from ${
      connection.source === 'environment'
        ? html`the settings of this server`
        : html`this page, and rest encrypted in the database`
    }. <code>docloom doctor</code> checks the whole set-up and says what to do.</p>
</div>`,
  });
}

function renderUnknown({ host }: SetupConnection, problem: string): Markup {
  return html`<h1>Connected to ${host}</h1>
<div class="notice bad"><p>${problem}</p></div>`;
}

function renderKnown(
  { host, repositories }: SetupConnection,
  known: Extract<SetupConnection['known'], { name: string }>,
): Markup {
  const { name, installations, missing } = known;
  const install = safeHref(`${known.url.replace(/\/$/, '')}/installations/new`);
  const isInstalled = installations.length > 0;
  return html`<h1>${isInstalled ? 'Connected to' : 'One step left on'} ${host}</h1>
<p class="lead">This server works as the GitHub App <a href="${safeHref(known.url)}">${name}</a>${known.owner === '' ? null : html` of ${known.owner}`}, ${known.readOnly ? 'read-only' : 'with all that it can do'}.</p>
${
  missing.length === 0
    ? null
    : html`<div class="notice bad"><p><strong>The App lacks something.</strong> Add it in the App’s settings on ${host}, under <em>Permissions &amp; events</em>.</p>
<dl class="needs">${missing.map(renderNeed)}</dl></div>`
}
${
  isInstalled
    ? html`<p class="buttons"><a class="button" href="${homePath}">See the spaces</a> <a href="${statusPath}">How each repository stands</a></p>
<section aria-labelledby="docloom-installations"><h2 id="docloom-installations">Installed on</h2>
<p>${plural(known.installationCount, 'account')}${
        repositories === 0
          ? `; ${known.installationCount === 1 ? 'its' : 'their'} repositories show up within a minute`
          : `, ${repositories === 1 ? '1 repository' : `${repositories} repositories`}`
      }.</p>
<ul class="plain rows">
${installations.slice(0, 100).map(renderInstallation)}</ul>
<p><a href="${install}">Install it elsewhere</a></p></section>`
    : html`<p>Install it on the repositories whose docs shall become pages. Each is synced at once.</p>
<p><a class="button" href="${install}">Install ${name}</a></p>`
}`;
}

function renderInstallation(one: SetupInstallation): Markup {
  const [tone, words] = one.suspended
    ? ['wait', 'Suspended']
    : one.missing.length > 0
      ? ['bad', 'Not all granted']
      : ['good', 'Works'];
  return html`<li><div class="card-head"><a href="${safeHref(one.url)}">${one.account}</a> <span class="state ${tone ?? ''}">${words ?? ''}</span></div>
<p class="small soft">${one.repositories === 'all' ? 'All repositories' : 'Selected repositories'}${
    one.missing.length === 0 ? null : html`. An owner has to accept: ${one.missing.map(titleOf).join(', ')}`
  }</p></li>
`;
}
