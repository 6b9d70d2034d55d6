import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpSettings } from '../../src/identity/index.ts';
import { waitFor } from '../support/wait-for.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** As it came: headers, an empty line, and the parts. */
  readonly raw: string;
  readonly subject: string;
  readonly messageId: string;
  /** The plain text, decoded. */
  readonly text: string;
  readonly html: string;
}

/** A mail server that delivers nothing, and shows what it took. */
export interface MailSink {
  readonly smtp: SmtpSettings;
  /** The same as a setting. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Answers to recipients, in turn, instead of taking them: codes of SMTP. */
  readonly refusals: number[];
  /** Waits until a mail to this address has come, and gives the newest. */
  mailTo(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export const MAIL_LOGIN = { user: 'docloom', password: 'p@ss:w/rd' };

export async function openMailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const mails: ReceivedMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth({ username, password }, _session, callback) {
      const isRight = username === MAIL_LOGIN.user && password === MAIL_LOGIN.password;
      callback(isRight ? null : new Error('no such login'), isRight ? { user: username } : undefined);
    },
    onRcptTo(_address, _session, callback) {
      const refused = refusals.shift();
      if (refused === undefined) return callback();
      callback(Object.assign(new Error('mailbox is away'), { responseCode: refused }));
    },
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        for (const { address } of envelope.rcptTo)
          mails.push(readMail(Buffer.concat(chunks).toString(), from, address));
        callback();
      });
    },
    ...options,
  });
  // A client that gives up in the middle of TLS is what some tests do.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const scheme = options.secure ? 'smtps' : 'smtp';
  return {
    smtp: {
      host: '127.0.0.1',
      port,
      secure: options.secure ?? false,
      login: null,
      from: { name: 'Docs', address: 'docs@docloom.example' },
    },
    url: `${scheme}://127.0.0.1:${port}`,
    mails,
    refusals,
    mailTo: (address) =>
      waitFor(
        () => mails.findLast((mail) => mail.to === address),
        () =>
          `a mail to ${address}; there are ${mails.map(({ to, subject }) => `${to}: ${subject}`).join(', ')}`,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string, from: string, to: string): ReceivedMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const part = (type: string) => {
    const found = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
    return decode(found.slice(found.indexOf('\r\n\r\n') + 4), found);
  };
  return {
    from,
    to,
    raw,
    subject: header('Subject'),
    messageId: header('Message-ID'),
    text: part('text/plain'),
    html: part('text/html'),
  };
}

function decode(body: string, part: string): string {
  if (/^Content-Transfer-Encoding: base64/im.test(part)) return Buffer.from(body, 'base64').toString();
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(part)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
