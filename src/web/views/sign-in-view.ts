import { setupPath } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import { renderLayout } from '../layout.ts';

export interface SignInOptions {
  /** The path to open afterwards. */
  readonly next: string;
  /** Why the last attempt failed. */
  readonly problem?: string | null;
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
${form(options)}
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
${form(options)}
</div>`,
  });
}

function form({ next, problem }: SignInOptions): Markup {
  return html`<form method="post" action="/login">
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="docloom-token">API token</label>
<input id="docloom-token" name="token" type="password" autocomplete="current-password" required maxlength="512" spellcheck="false" aria-describedby="${problem ? 'docloom-token-problem ' : null}docloom-token-hint"${problem ? html` aria-invalid="true"` : null}>
${problem ? html`<p class="error" id="docloom-token-problem" role="alert">${problem}</p>` : null}
<p class="hint" id="docloom-token-hint">Create one on the server with <code>docloom token create</code>. You stay signed in for 30 days, or until you have not been here for 7.</p>
</div>
<button type="submit">Sign in</button>
</form>`;
}
