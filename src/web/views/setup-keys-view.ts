import { setupPath } from '../addresses.ts';
import { formatAhead } from '../format.ts';
import { html, type Markup, safeHref } from '../html.ts';
import { renderLayout } from '../layout.ts';
import type { SetupConnection } from '../setup-pages.ts';

/** Where the forms of the keys lead. */
export const KEY_PATHS = {
  secret: `${setupPath}/webhook-secret`,
  key: `${setupPath}/private-key`,
  remove: `${setupPath}/remove`,
} as const;

/** An App that was set up here, as its keys and its removal speak of it. */
type OwnApp = SetupConnection & { readonly name: string; readonly url: string };

export function isOwnApp(connection: SetupConnection): connection is OwnApp {
  return connection.source === 'set-up' && connection.name !== null && connection.url !== null;
}

/** How the keys of an App that was set up here are changed, and how it is removed. */
export function renderKeys(
  connection: OwnApp,
  { now, isOpen }: { readonly now: Date; readonly isOpen: boolean },
): Markup {
  const { host, url } = connection;
  return html`<details class="keys"${isOpen ? html` open` : null}><summary>Change its keys, replace or remove it</summary>
<p>Change them from time to time, and at once when somebody may have seen them. No event is lost meanwhile.</p>
<ul class="plain rows">
<li><h2>Webhook secret</h2>
<p class="small soft">With it ${host} signs its events. Docloom makes a new one and gives it to ${host}; the one before is accepted for an hour more.${earlier(connection, now)}</p>
<form method="post" action="${KEY_PATHS.secret}"><button class="quiet" type="submit">New webhook secret</button></form></li>
<li><h2>Private key</h2>
<p class="small soft">With it Docloom signs in to ${host}. Generate another one on <a href="${safeHref(url)}">the App’s page</a> (in its settings, under <em>Private keys</em>), paste the file here, then delete the old one there.</p>
<form method="post" action="${KEY_PATHS.key}">
<div class="field"><label for="docloom-pem">New private key</label>
<textarea id="docloom-pem" name="pem" rows="4" required maxlength="12000" spellcheck="false" autocomplete="off" autocapitalize="none" placeholder="-----BEGIN RSA PRIVATE KEY-----"></textarea></div>
<button class="quiet" type="submit">Use this key</button></form></li>
<li><h2>Replace or remove</h2>
<p class="small soft">Takes the App and its keys off this server. Then another one can be made here.</p>
<p><a class="button quiet" href="${KEY_PATHS.remove}">Remove the App…</a></p></li>
</ul></details>`;
}

function earlier({ host, earlierSecretUntil }: OwnApp, now: Date): Markup | null {
  if (earlierSecretUntil === null) return null;
  if (earlierSecretUntil === 'open')
    return html` <strong>${host} did not say which one it uses, so both are accepted: make a new one again.</strong>`;
  return html` <strong>One is still accepted; that ends ${formatAhead(earlierSecretUntil.toISOString(), now)}.</strong>`;
}

/** What removing the App means, before it happens. */
export function renderRemoval(options: {
  readonly connection: OwnApp;
  readonly user: { readonly displayName: string } | null;
}): string {
  const { host, name, url } = options.connection;
  return renderLayout({
    title: 'Remove the App',
    user: options.user,
    main: html`<div class="reading">
<h1>Remove ${name} from this server?</h1>
<ul>
<li>Its keys are deleted here; nobody can bring them back.</li>
<li>Running work gets a few seconds to end; what waits is dropped. Pushes and pull requests are not looked at any more.</li>
<li>Spaces and their pages stay, and say that they are disconnected. Installing another App on the same repositories connects them again.</li>
<li>On ${host} the App stays: delete it on <a href="${safeHref(url)}">its page</a> (in its settings, under <em>Advanced</em>), or it goes on sending events that are refused.</li>
</ul>
<form method="post" action="${KEY_PATHS.remove}" class="buttons">
<button class="danger" type="submit">Remove ${name}</button>
<a href="${setupPath}">Keep it</a>
</form>
</div>`,
  });
}
