import type { IncomingMessage } from 'node:http';
import { ensureAccount } from '../actions/accounts.ts';
import { installApp } from '../actions/install-app.ts';
import {
  addPrivateKey,
  type Manifest,
  nameProblem,
  parseManifest,
  registerApp,
} from '../actions/register-app.ts';
import { ForgeApiError } from '../api/api-error.ts';
import type { ForgeContext } from '../forge-context.ts';
import { accountById, fullNameOf, installedRepositories } from '../state/find-records.ts';
import type { AccountRecord, ActiveApp } from '../state/records.ts';
import { frame } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import { readForm } from './read-form.ts';

/** The result of a page of the App: markup whose forms may redirect to the origin `formsTo`, or a redirect. */
export type AppPageResult =
  | { readonly page: SafeHtml; readonly status?: number; readonly formsTo?: string }
  | { readonly location: string };

const REGISTER = /^(?:\/organizations\/([^/]+))?\/settings\/apps\/new$/;
const CONFIRM = /^(?:\/organizations\/([^/]+))?\/settings\/apps$/;
const APP = /^\/(?:github-)?apps\/([a-z\d-]+)(\/installations\/new|\/keys)?$/;
const INSTALLATION = /^\/settings\/installations\/(\d{1,15})$/;

/**
 * The pages on which a person registers an App from a manifest and installs it. Nobody signs in: everyone who uses the
 * sandbox acts as the owner. Null for other addresses.
 */
export async function handleAppPage(
  context: ForgeContext,
  url: URL,
  request: IncomingMessage,
): Promise<AppPageResult | null> {
  const { pathname: path } = url;
  const isPost = request.method === 'POST';
  const register = REGISTER.exec(path);
  if (register) {
    if (!isPost) return null;
    const form = await readForm(request);
    const manifest = parseManifest(form.get('manifest') ?? '');
    const state = form.get('state') ?? url.searchParams.get('state') ?? '';
    return manifest === null
      ? { status: 422, page: noManifest() }
      : confirmPage({
          owner: register[1] ?? null,
          manifest,
          state,
          name: manifest.name ?? '',
          problem: null,
        });
  }
  const confirm = CONFIRM.exec(path);
  if (confirm && isPost) return confirmRegistration(context, confirm[1] ?? null, await readForm(request));
  const { app } = context;
  const appMatch = APP.exec(path);
  if (appMatch && app && appMatch[1] === app.slug) {
    if (appMatch[2] === '/keys')
      return isPost ? { page: keyPage(app, await addPrivateKey(context, app)) } : null;
    if (appMatch[2] === undefined) return { page: appPage(context, app) };
    return isPost
      ? await install(context, app, await readForm(request))
      : { page: installPage(context, app) };
  }
  const installation = context.data.installations.find(
    (candidate) => String(candidate.id) === INSTALLATION.exec(path)?.[1],
  );
  return installation && app ? { page: appPage(context, app) } : null;
}

interface Confirmation {
  /** An organization; null for the user's own account. */
  readonly owner: string | null;
  readonly manifest: Manifest;
  readonly state: string;
  readonly name: string;
  readonly problem: string | null;
}

function confirmPage({ owner, manifest, state, name, problem }: Confirmation): AppPageResult {
  const permissions = Object.entries(manifest.default_permissions ?? {});
  const action = `${owner === null ? '' : `/organizations/${owner}`}/settings/apps`;
  const page = frame(
    'Create GitHub App',
    [safeHtml`<span aria-current="page">Create GitHub App</span>`],
    safeHtml`<h1>Create GitHub App</h1>
<p class="sentence soft">${owner === null ? 'For your personal account.' : `For ${owner}.`} It receives the events ${(manifest.default_events ?? []).join(', ') || 'of installations only'}, and has the permissions ${permissions.map(([text, level]) => `${text} (${level})`).join(', ')}.</p>
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<input type="hidden" name="state" value="${state}">
<p><label for="app-name">GitHub App name</label><br>
<input id="app-name" name="name" type="text" value="${name}" required maxlength="34"${problem === null ? null : safeHtml` aria-invalid="true" aria-describedby="app-name-problem"`}></p>
${problem === null ? null : safeHtml`<p id="app-name-problem" role="alert">${problem}</p>`}
<p><button type="submit">Create GitHub App</button></p>
</form>`,
  );
  // Browsers check the redirect after the form against the policy, too.
  return {
    page,
    formsTo: new URL(manifest.redirect_url).origin,
    ...(problem === null ? {} : { status: 422 }),
  };
}

async function confirmRegistration(
  context: ForgeContext,
  organization: string | null,
  form: URLSearchParams,
): Promise<AppPageResult> {
  const manifest = parseManifest(form.get('manifest') ?? '');
  if (manifest === null) return { status: 422, page: noManifest() };
  const name = form.get('name') ?? '';
  const state = form.get('state') ?? '';
  const problem = nameProblem(name);
  if (problem !== null) return confirmPage({ owner: organization, manifest, state, name, problem });
  const owner =
    organization === null ? currentUser(context) : ensureAccount(context, organization, 'Organization');
  const code = await registerApp(context, { name, owner: owner.login, manifest });
  const back = new URL(manifest.redirect_url);
  back.searchParams.set('code', code);
  if (state !== '') back.searchParams.set('state', state);
  return { location: back.href };
}

/** The user of the sandbox. */
function currentUser(context: ForgeContext): AccountRecord {
  return context.data.accounts.find((account) => account.type === 'User') ?? ensureAccount(context, 'me');
}

function noManifest(): SafeHtml {
  return frame(
    'No manifest',
    [],
    safeHtml`<h1>No manifest</h1>
<p class="sentence">This page accepts a form whose field <code>manifest</code> contains the App's manifest.</p>`,
  );
}

function appPage(context: ForgeContext, app: ActiveApp): SafeHtml {
  const rows = context.data.installations.map((installation) => {
    const { login } = accountById(context.data, installation.accountId);
    const names = installedRepositories(context.data, installation).map((repository) =>
      fullNameOf(context.data, repository),
    );
    return safeHtml`<tr><th scope="row">${login}</th><td>${installation.repositories === 'all' ? 'all' : 'selected'}</td><td>${
      names.length === 0
        ? safeHtml`<span class="soft">none yet</span>`
        : names.map((name) => safeHtml`<a href="/${name}">${name}</a> `)
    }</td></tr>`;
  });
  return frame(
    app.name,
    [safeHtml`<span aria-current="page">${app.name}</span>`],
    safeHtml`<h1>${app.name}</h1>
<p class="sentence soft">GitHub App ${app.id}. Its events go to <code>${app.webhookUrl}</code>.</p>
${
  rows.length === 0
    ? safeHtml`<p class="empty">It is installed nowhere yet.</p>`
    : safeHtml`<div class="box scroll"><table><thead><tr><th scope="col">Installed on</th><th scope="col">Repositories</th><th scope="col">Names</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
<p><a href="/apps/${app.slug}/installations/new">Install</a></p>
<form method="post" action="/apps/${app.slug}/keys"><p><button type="submit">Generate a private key</button></p></form>`,
  );
}

function keyPage(app: ActiveApp, privateKey: string): SafeHtml {
  return frame(
    'Private key',
    [
      safeHtml`<a href="/apps/${app.slug}">${app.name}</a>`,
      safeHtml`<span aria-current="page">Private key</span>`,
    ],
    safeHtml`<h1>A new private key</h1>
<p class="sentence soft">It is shown only once; GitHub would download it. Earlier keys stay valid.</p>
<div class="box scroll"><pre tabindex="0">${privateKey}</pre></div>`,
  );
}

/** Accounts that may own repositories: people and organizations. */
function owners(context: ForgeContext): readonly AccountRecord[] {
  const found = context.data.accounts.filter(
    (account) => account.type !== 'Bot' && account.login !== 'ghost',
  );
  return found.length > 0 ? found : [currentUser(context)];
}

function installPage(context: ForgeContext, app: ActiveApp): SafeHtml {
  return frame(
    `Install ${app.name}`,
    [
      safeHtml`<a href="/apps/${app.slug}">${app.name}</a>`,
      safeHtml`<span aria-current="page">Install</span>`,
    ],
    safeHtml`<h1>Install ${app.name}</h1>
<p class="sentence soft">On all repositories of an account.</p>
${owners(context).map(
  ({ login }) => safeHtml`<form method="post" action="/apps/${app.slug}/installations/new">
<input type="hidden" name="owner" value="${login}">
<p><button type="submit">Install on ${login}</button></p>
</form>`,
)}`,
  );
}

async function install(context: ForgeContext, app: ActiveApp, form: URLSearchParams): Promise<AppPageResult> {
  const owner = owners(context).find((account) => account.login === form.get('owner'));
  if (!owner) throw new ForgeApiError(404, 'There is no such account.');
  const installation = installApp(context, owner, 'all');
  await context.save();
  if (app.setupUrl === '') return { location: `${context.url}/settings/installations/${installation.id}` };
  const back = new URL(app.setupUrl);
  back.searchParams.set('installation_id', String(installation.id));
  back.searchParams.set('setup_action', 'install');
  return { location: back.href };
}

/** The origins to which a page's forms may redirect, for the content security policy. */
export function formTargets(context: ForgeContext, result: AppPageResult): string {
  const setupUrl = context.app?.setupUrl ?? '';
  const origins = [
    'formsTo' in result ? result.formsTo : undefined,
    URL.canParse(setupUrl) ? new URL(setupUrl).origin : undefined,
  ];
  return ["'self'", ...new Set(origins.filter((origin) => origin !== undefined))].join(' ');
}
