import type { Markup } from '../../markup/index.ts';
import { ACCOUNT_PATHS } from '../addresses.ts';
import { renderTabs } from './tabs.ts';

/** The pages of one's own account. */
export function renderAccountTabs(current: (typeof ACCOUNT_PATHS)[keyof typeof ACCOUNT_PATHS]): Markup {
  return renderTabs({
    about: 'Your account',
    current,
    tabs: [
      { href: ACCOUNT_PATHS.account, label: 'Account' },
      { href: ACCOUNT_PATHS.sessions, label: 'Sessions' },
      { href: ACCOUNT_PATHS.tokens, label: 'API tokens' },
    ],
  });
}
