import type { Member, Organization } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { renderButton } from './action-button.ts';
import { renderConfirmation } from './confirm-view.ts';
import { memberPath } from './members-view.ts';
import { renderOrganizationPage } from './organization-frame.ts';

/** How somebody who was removed from an organization becomes a member again without anybody’s help. */
export interface WaysBack {
  /** The names of providers that would sign them in. */
  readonly providers: readonly string[];
  /** Whether they may join by the domain of their address. */
  readonly mayJoin: boolean;
  /** Of their address. */
  readonly domain: string;
}

/** What removing a member means, and how they would come back. */
export function renderMemberRemoval(options: {
  readonly organization: Organization;
  readonly member: Member;
  /** Null where it is not known. */
  readonly waysBack: WaysBack | null;
  readonly user: { readonly displayName: string };
}): string {
  const { organization, member, waysBack, user } = options;
  const name = member.user.displayName;
  const to = (part = '') => memberPath(organization.id, member.id, part);
  const isOpen =
    member.provisioned === true || (waysBack !== null && (waysBack.mayJoin || waysBack.providers.length > 0));
  const end = isOpen
    ? '.'
    : waysBack === null
      ? ', and comes back only by an invitation or by single sign-on.'
      : ', and comes back only by an invitation.';
  return renderOrganizationPage({
    organization,
    section: 'members',
    title: `Remove ${name}`,
    user,
    main: html`${renderConfirmation({
      sentence: html`${name} loses all access to ${organization.title} at once, with teams and grants${end}`,
      about: isOpen ? renderWaysBack(waysBack ?? NO_WAY_KNOWN, member) : null,
      action: to('remove'),
      button: 'Remove',
      back: to(),
    })}
${
  isOpen && !member.disabled
    ? html`<div class="reading"><h2>To keep them out</h2>
<p>A membership that is disabled lets nobody in, whatever the provider says. Teams, grants and the role are kept for later.</p>
${renderButton(to('disable'), 'Disable instead', name)}</div>`
    : null
}`,
  });
}

const NO_WAY_KNOWN: WaysBack = { providers: [], mayJoin: false, domain: '' };

function renderWaysBack({ providers, mayJoin, domain }: WaysBack, member: Member): Markup {
  return html`<div class="notice wait"><p><strong>Removing does not keep them out.</strong> ${
    member.provisioned === true
      ? 'The identity provider keeps this member by provisioning, and adds them again as long as they are assigned there: take the application from them there. '
      : null
  }${
    providers.length === 0
      ? null
      : html`The next sign-in at ${joinWords(providers)} makes them a member again, with the role and the team of people who come for the first time. `
  }${mayJoin ? html`Whoever has a confirmed address of ${domain} may join by themselves. ` : null}${
    member.disabled
      ? 'Their membership is disabled, which does keep them out; removing them ends that, too.'
      : null
  }</p></div>`;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
