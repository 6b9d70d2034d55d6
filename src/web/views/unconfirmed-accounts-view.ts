import type { Organization, UnconfirmedAccount } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { ssoPath } from '../addresses.ts';
import { renderConfirmation } from './confirm-view.ts';
import { renderTable } from './data-table.ts';
import { renderMore } from './more-link.ts';
import { renderOrganizationPage } from './organization-frame.ts';

/** The accounts that keep addresses of an organization's domains; null where there are none. */
export function renderUnconfirmedAccounts(
  { id: organizationId }: Organization,
  accounts: readonly UnconfirmedAccount[],
  more: string | null,
): Markup | null {
  if (accounts.length === 0) return null;
  return html`${renderTable({
    id: 'docloom-unconfirmed',
    title: 'Addresses that nobody confirmed',
    columns: ['Address', 'Name', 'Since', 'Change'],
    rows: accounts.map(
      ({ id, email, displayName, createdAt }) =>
        html`<tr><th scope="row">${email}</th><td>${displayName}</td><td>${createdAt.slice(0, 10)}</td><td><a href="${ssoPath(organizationId)}/accounts/${id}">Release…<span class="visually-hidden"> ${email}</span></a></td></tr>
`,
    ),
    empty: '',
  })}
${renderMore(more, 'More addresses')}
<p class="soft reading after">These accounts were made before the domain was proved, by people who are no members. No provider signs anybody in with such an address until the owner of the account links single sign-on to it, or you release the address.</p>`;
}

/** What releasing an address means, before it is done. */
export function renderAccountRelease(options: {
  readonly organization: Organization;
  readonly account: UnconfirmedAccount;
  readonly user: { readonly displayName: string };
}): string {
  const { organization, user } = options;
  const { id, email, displayName } = options.account;
  return renderOrganizationPage({
    organization,
    section: 'sso',
    title: `Release ${email}`,
    user,
    main: renderConfirmation({
      sentence: html`Every way into the account ${displayName} with the address ${email} ends: its password, sessions, tokens and recovery codes. Whoever your provider signs in with this address has the account then, with its memberships in other organizations.`,
      about: html`<p>If it is somebody of yours, let them link single sign-on on the page of their account instead: then they keep all of it.</p>`,
      action: `${ssoPath(organization.id)}/accounts/release`,
      button: 'Release the address',
      back: ssoPath(organization.id),
      fields: { id },
    }),
  });
}
