/** What the mails of this server say. Each is written once; `renderMail` makes plain text and HTML of it. */
import { type RenderedMail, renderMail } from './render-mail.ts';

/** The values that each template shows. Addresses in them are of this server. */
export interface MailValues {
  /** An address that signs its reader in once. */
  'sign-in': { readonly url: string; readonly minutes: number };
  /** An address at which a new password is chosen. */
  'reset-password': { readonly url: string; readonly minutes: number };
  /** An address that confirms that mail reaches its reader. */
  'verify-email': { readonly url: string; readonly hours: number };
  /** The password of an account was changed. `url` is where its owner chooses another one. */
  'password-changed': { readonly url: string };
  /** An address that makes the reader's address that of an account. */
  'change-email': { readonly url: string; readonly minutes: number };
  /** The same was requested for an address that has an account. `url` is where its owner signs in. */
  'email-taken': { readonly url: string };
  /** To the address from before: another one was requested. `url` is where its owner chooses another password. */
  'email-change-requested': { readonly url: string };
  /** To the address from before: it is not that of the account any more. */
  'email-changed': { readonly url: string };
  /** An invitation. `place` is what is shared besides the organization, if anything. */
  invite: {
    readonly url: string;
    readonly organization: string;
    readonly invitedBy: string;
    readonly place: string | null;
    readonly days: number;
  };
  /** Confirms the address of somebody who opened an invitation. */
  'confirm-invite': { readonly url: string; readonly organization: string; readonly hours: number };
  /** The record that proves an e-mail domain is missing: `days` until it counts as not proved; null when it does. */
  'domain-missing': {
    readonly url: string;
    readonly domain: string;
    readonly name: string;
    readonly value: string;
    readonly days: number | null;
  };
  /** Somebody did something that concerns the reader: `what` completes a sentence that begins with `by`. */
  notification: {
    readonly by: string;
    readonly what: string;
    /** What they wrote; empty for nothing. */
    readonly text: string;
    readonly url: string;
    /** Where the reader switches these mails off. */
    readonly settingsUrl: string;
  };
  /** Shows that mails of this server arrive. */
  test: { readonly url: string };
}
export type MailTemplate = keyof MailValues;

/**
 * A name as a mail says it. Mail programs make links of what looks like an address, and whoever names an organization may
 * invite strangers: a character that is not seen (U+2060) after each point and colon keeps a name from being one.
 */
function asName(name: string): string {
  return name.replace(/(?<=[\p{L}\p{N}-])[.:](?=[\p{L}\p{N}/])/gu, '$&\u2060');
}

const IGNORE = 'If you did not request this, ignore this mail: nothing happens without the address above.';

const templates: { readonly [T in MailTemplate]: (values: MailValues[T]) => RenderedMail } = {
  'sign-in': ({ url, minutes }) =>
    renderMail({
      subject: 'Sign in to Docloom',
      text: [`Open this address to sign in. It works once, for ${minutes} minutes.`],
      button: { label: 'Sign in', url },
      after: [IGNORE],
    }),
  'reset-password': ({ url, minutes }) =>
    renderMail({
      subject: 'Choose a new password for Docloom',
      text: [`Open this address to choose a new password. It works once, for ${minutes} minutes.`],
      button: { label: 'Choose a password', url },
      after: [IGNORE],
    }),
  'verify-email': ({ url, hours }) =>
    renderMail({
      subject: 'Confirm your e-mail address for Docloom',
      text: [`Open this address to confirm that mail reaches you here. It works once, for ${hours} hours.`],
      button: { label: 'Confirm the address', url },
      after: [IGNORE],
    }),
  'password-changed': ({ url }) =>
    renderMail({
      subject: 'Your Docloom password was changed',
      text: [
        'The password of your account was changed, and all other sessions were ended.',
        'If it was not you, choose another password now and tell an administrator.',
      ],
      button: { label: 'Choose another password', url },
      after: [],
    }),
  'change-email': ({ url, minutes }) =>
    renderMail({
      subject: 'Confirm your new e-mail address for Docloom',
      text: [
        `Open this address, in a browser in which you are signed in, to make this e-mail address that of your account. It works once, for ${minutes} minutes.`,
      ],
      button: { label: 'Use this e-mail address', url },
      after: [IGNORE],
    }),
  'email-taken': ({ url }) =>
    renderMail({
      subject: 'Your e-mail address has a Docloom account already',
      text: [
        'Somebody, perhaps you, wants to use this e-mail address for another account. There is an account with it already, so nothing was changed.',
        'If it was you, sign in with this address, or choose another one for the other account.',
      ],
      button: { label: 'Sign in', url },
      after: ['If it was not you, ignore this mail.'],
    }),
  'email-change-requested': ({ url }) =>
    renderMail({
      subject: 'Another e-mail address was requested for your Docloom account',
      text: [
        'Somebody who is signed in to your account requested another e-mail address for it. It changes when the link that was mailed there is opened.',
        'If it was not you, choose another password now, which makes that link useless and ends all sessions, and tell an administrator.',
      ],
      button: { label: 'Choose another password', url },
      after: ['If it was you, there is nothing to do with this mail.'],
    }),
  'email-changed': ({ url }) =>
    renderMail({
      subject: 'Your Docloom e-mail address was changed',
      text: [
        'Your account has another e-mail address now, and all other sessions were ended. This address does not sign in any more.',
        'If it was not you, tell an administrator of your organization.',
      ],
      button: { label: 'Open Docloom', url },
      after: [],
    }),
  invite: ({ url, organization, invitedBy, place, days }) =>
    renderMail({
      subject: `${asName(invitedBy)} invites you to ${asName(organization)} on Docloom`,
      text: [
        place === null
          ? `${asName(invitedBy)} invites you to ${asName(organization)}.`
          : `${asName(invitedBy)} invites you to ${asName(place)} of ${asName(organization)}.`,
        `The address works once, for ${days === 1 ? '1 day' : `${days} days`}, and for your e-mail address only.`,
      ],
      button: { label: 'Accept the invitation', url },
      after: ['If you do not know who invites you, ignore this mail.'],
    }),
  'confirm-invite': ({ url, organization, hours }) =>
    renderMail({
      subject: `Continue with the invitation to ${asName(organization)} on Docloom`,
      text: [
        `Open this address to go on with the invitation to ${asName(organization)}, with this e-mail address.`,
        `It works for ${hours} hours.`,
      ],
      button: { label: 'Continue', url },
      after: [IGNORE],
    }),
  'domain-missing': ({ url, domain, name, value, days }) =>
    renderMail({
      subject:
        days === null
          ? `The domain ${domain} is not proved any more`
          : `The DNS record of ${domain} is missing`,
      text: [
        days === null
          ? `Single sign-on lets nobody in with an address of ${domain} from now on, because the record that proves the domain is missing.`
          : `If the record that proves the domain ${domain} is not back in ${days} days, single sign-on lets nobody in with an address of it.`,
        `The DNS should have the TXT record ${name} with the value ${value}.`,
      ],
      button: { label: 'Open single sign-on', url },
      after: [],
    }),
  notification: ({ by, what, text, url, settingsUrl }) =>
    renderMail({
      subject: `${asName(by)} ${asName(what)}`,
      text: [`${asName(by)} ${asName(what)}:`, ...(text === '' ? [] : [`“${text}”`])],
      button: { label: 'Open it', url },
      after: [`You get such mails until you switch them off in your account: ${settingsUrl}`],
    }),
  test: ({ url }) =>
    renderMail({
      subject: 'A test mail of Docloom',
      text: ['This mail shows that mails of this server arrive.'],
      button: { label: 'Open Docloom', url },
      after: [],
    }),
};

export function writeMail<T extends MailTemplate>(template: T, values: MailValues[T]): RenderedMail {
  return templates[template](values);
}

/** Whether a stored name is one of a template: a newer release may have others. */
export function isMailTemplate(name: string): name is MailTemplate {
  return Object.hasOwn(templates, name);
}
