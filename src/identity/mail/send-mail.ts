import { createTransport } from 'nodemailer';
import type { RenderedMail } from './render-mail.ts';
import type { SmtpSettings } from './smtp-settings.ts';

const CONNECT_MS = 15_000;
const SILENT_MS = 60_000;

/** A mail was not sent: one sentence for people, without secrets. */
export class MailProblem extends Error {
  override readonly name = 'MailProblem';
  /** Whether the mail server refused this mail for good, so that another attempt would change nothing. */
  readonly isFinal: boolean;
  readonly kind: 'connection' | 'tls' | 'login' | 'recipient' | 'sender' | 'other';

  constructor(
    message: string,
    options: Pick<MailProblem, 'isFinal' | 'kind'> & { readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.isFinal = options.isFinal;
    this.kind = options.kind;
  }
}

/**
 * Hands one mail to the mail server. A second mail with the same `id` has the same Message-ID, by which mail programs show
 * it once.
 *
 * @throws {MailProblem}
 */
export async function sendMail(
  settings: SmtpSettings,
  mail: RenderedMail & { readonly id: string; readonly to: string },
): Promise<void> {
  const { from } = settings;
  const transport = openTransport(settings);
  try {
    await transport.sendMail({
      from: { ...from },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      // No program that is away answers it (RFC 3834).
      headers: { 'auto-submitted': 'auto-generated' },
    });
  } catch (error) {
    throw describe(error, settings);
  } finally {
    transport.close();
  }
}

/** Connects to the mail server and logs in, without sending anything. @throws {MailProblem} */
export async function checkMailServer(settings: SmtpSettings): Promise<void> {
  const transport = openTransport(settings);
  try {
    await transport.verify();
  } catch (error) {
    throw describe(error, settings);
  } finally {
    transport.close();
  }
}

function openTransport({ host, port, secure, login }: SmtpSettings) {
  return createTransport({
    host,
    port,
    secure,
    // A password is sent through TLS only; to a mail server on this machine, nobody can listen.
    requireTLS: !secure && login !== null && !isThisMachine(host),
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    // Certificates of a mail server on this machine are seldom made for `localhost`.
    ...(isThisMachine(host) && { tls: { rejectUnauthorized: false } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
  readonly message: string;
}

/** One sentence, by the codes of nodemailer's errors (dist/esm/errors.d.ts). */
function describe(error: unknown, { host, port }: SmtpSettings): MailProblem {
  const { code = '', responseCode, response, command = '', message } = error as SmtpError;
  const server = `the mail server ${host}:${port}`;
  const problem = (kind: MailProblem['kind'], text: string, isFinal = false) =>
    new MailProblem(text, { kind, isFinal, cause: error });
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return problem(
      'login',
      `The login of SMTP_URL was refused by ${server}${responseCode === undefined ? '' : ` (${responseCode})`}: check its user name and password.`,
    );
  if (code === 'ETLS' || /certificate|self.signed|\bSSL\b|\bTLS\b|wrong version number/i.test(message))
    return problem(
      'tls',
      `No TLS connection to ${server} could be made: check whether SMTP_URL should begin with smtps:// (port 465) or smtp:// (port 587), and the certificate of the server.`,
    );
  if (code === 'EENVELOPE' || command === 'RCPT TO' || command === 'MAIL FROM') {
    const isSender = command === 'MAIL FROM' || /^mail from/i.test(command);
    return problem(
      isSender ? 'sender' : 'recipient',
      `${isSender ? 'The sender of SMTP_FROM' : 'The recipient'} was refused by ${server}${quote(response)}.`,
      isLasting(responseCode),
    );
  }
  if (code === 'EDNS' || code === 'ENOTFOUND')
    return problem('connection', `The mail server ${host} is unknown: check the host of SMTP_URL.`);
  if (code === 'ETIMEDOUT' || code === 'ECONNECTION' || code === 'ESOCKET' || code === 'ECONNREFUSED')
    return problem(
      'connection',
      `No connection to ${server} could be made: check the host and port of SMTP_URL, and firewalls in between.`,
    );
  return problem('other', `The mail was refused by ${server}${quote(response)}.`, isLasting(responseCode));
}

/** 5yz: the same mail will be refused again (RFC 5321, section 4.2.1). */
function isLasting(responseCode: number | undefined): boolean {
  return responseCode !== undefined && responseCode >= 500;
}

function quote(response: string | undefined): string {
  if (response === undefined) return '';
  const line = response
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
  return line === '' ? '' : `: “${line}”`;
}
