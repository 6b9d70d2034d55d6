import { html } from '../../markup/index.ts';
import { setupPath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { emailInput, newPasswordInput } from './sign-in-view.ts';
import { textInput } from './text-input.ts';

/** The first step of setting up: the account of the person who does it. */
export function renderFirstAdministrator(options: {
  readonly displayName: string;
  readonly email: string;
  /** Whether there is a GitHub App already, so that this is the only step. */
  readonly hasApp: boolean;
  readonly problem: string | null;
}): string {
  const { displayName, email, hasApp, problem } = options;
  return renderLayout({
    title: 'Set up',
    main: html`<div class="narrow">
<h1>Create your account</h1>
<p class="lead">You become the administrator of this server${hasApp ? '' : '; its GitHub App is the next step'}.</p>
${problem === null ? null : html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
<form method="post" action="${setupPath}/administrator" class="card">
${textInput({
  id: 'docloom-name',
  name: 'displayName',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  maxLength: 100,
  value: displayName,
})}
${emailInput({ value: email, hint: 'You sign in with it.' })}
${newPasswordInput(null)}
<button type="submit">Create the account</button>
</form>
${hasApp ? null : html`<p class="small soft">Alone, and content with tokens of <code>docloom token create</code>? <a href="${setupPath}?step=app">Go on without an account</a>.</p>`}
</div>`,
  });
}
