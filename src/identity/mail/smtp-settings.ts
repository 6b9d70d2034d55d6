/** The mail server that sends for this one. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS (`smtps:`); otherwise STARTTLS is used where the server offers it. */
  readonly secure: boolean;
  /** Null when the mail server takes mails without a login. */
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: MailAddress;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** The longest address that SMTP carries (RFC 5321, section 4.5.3.1.3). */
const MAX_ADDRESS = 254;

/** What can be an address of a mailbox: an e-mail address is only proved by a mail that reaches somebody. */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= MAX_ADDRESS && /^[^\s@<>(),;:"\\[\]\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]+$/u.test(text)
  );
}

/** Reads `docs@example.com` or `Docs <docs@example.com>`; null for anything else. */
export function parseMailAddress(text: string): MailAddress | null {
  const [, name = '', address = ''] = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>)$/u.exec(text.trim()) ?? [
    '',
    '',
    text.trim(),
  ];
  return isMailAddress(address) ? { name: name.trim(), address } : null;
}

/**
 * Reads `smtp://user:password@host:587` or `smtps://host:465`; null for anything else. `smtp:` has the port 587 and `smtps:`
 * 465 when none is written.
 */
export function parseSmtpUrl(text: string): Omit<SmtpSettings, 'from'> | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) return null;
  const secure = url.protocol === 'smtps:';
  try {
    const user = decodeURIComponent(url.username);
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      login: user === '' ? null : { user, password: decodeURIComponent(url.password) },
    };
  } catch {
    return null;
  }
}
