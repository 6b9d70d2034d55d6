import { html, type Markup, safeHref } from '../../markup/index.ts';
import { setupPath } from '../addresses.ts';
import { formatAhead } from '../format.ts';
import { renderLayout } from '../layout.ts';
import type { SetupConnection } from '../setup-pages.ts';

/** The addresses of the forms. */
export const KEY_PATHS = {
  secret: `${setupPath}/webhook-secret`,
  key: `${setupPath}/private-key`,
  remove: `${setupPath}/remove`,
} as const;

/** An App that was set up in the browser, so that its keys can be changed here. */
type OwnApp = SetupConnection & { readonly name: string; readonly url: string };

export function isOwnApp(connection: SetupConnection): connection is OwnApp {
  return connection.source === 'set-up' && connection.name !== null && connection.url !== null;
}

/** The forms that change the keys of such an App, or remove it. */
export function renderKeys(
  connection: OwnApp,
  { now, isOpen }: { readonly now: Date; readonly isOpen: boolean },
): Markup {
  const { host, url } = connection;
  return html`<details class="keys"${isOpen ? html` open` : null}><summary>Change its keys, replace or remove it</summary>
<p>Change them from time to time, and immediately when somebody may have seen them. No event is lost meanwhile.</p>
<ul class="plain rows">
<li><h2>Webhook secret</h2>
<p class="small soft">With it ${host} signs its events. Docloom generates a new one and sends it to ${host}; the previous one is accepted for another hour.${earlier(connection, now)}</p>
<form method="post" action="${KEY_PATHS.secret}"><button class="quiet" type="submit">New webhook secret</button></form></li>
<li><h2>Private key</h2>
<p class="small soft">With it Docloom signs in to ${host}. Generate another one on <a href="${safeHref(url)}">the App’s page</a> (in its settings, under <em>Private keys</em>), paste the file here, then delete the old one there.</p>
<form method="post" action="${KEY_PATHS.key}">
<div class="field"><label for="docloom-pem">New private key</label>
<textarea id="docloom-pem" name="pem" rows="4" required maxlength="12000" spellcheck="false" autocomplete="off" autocapitalize="none" placeholder="-----BEGIN RSA PRIVATE KEY-----"></textarea></div>
<button class="quiet" type="submit">Use this key</button></form></li>
<li><h2>Replace or remove</h2>
<p class="small soft">Removes the App and its keys from this server. Then another one can be created here.</p>
<p><a class="button quiet" href="${KEY_PATHS.remove}">Remove the App…</a></p></li>
</ul></details>`;
}

function earlier({ host, earlierSecretUntil }: OwnApp, now: Date): Markup | null {
  if (earlierSecretUntil === null) return null;
  if (earlierSecretUntil === 'open')
    return html` <strong>${host} did not confirm which one it uses, so both are accepted: create a new one again.</strong>`;
  return html` <strong>The previous one is still accepted; it expires ${formatAhead(earlierSecretUntil.toISOString(), now)}.</strong>`;
}

/** The page that explains what removing the App means, and asks for confirmation. */
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
<li>Its keys are deleted here and cannot be restored.</li>
<li>Running jobs get a few seconds to finish; waiting ones are dropped. Pushes and pull requests are no longer handled.</li>
<li>Spaces and their pages stay, marked as disconnected. Installing another App on the same repositories connects them again.</li>
<li>On ${host} the App stays: delete it on <a href="${safeHref(url)}">its page</a> (in its settings, under <em>Advanced</em>), or it continues to send events that are refused.</li>
</ul>
<form method="post" action="${KEY_PATHS.remove}" class="buttons">
<button class="danger" type="submit">Remove ${name}</button>
<a href="${setupPath}">Cancel</a>
</form>
</div>`,
  });
}
