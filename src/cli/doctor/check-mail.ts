import { randomUUID } from 'node:crypto';
import { checkMailServer, MailProblem, sendMail, writeMail } from '../../identity/index.ts';
import type { ServerConfig } from '../../server/config/index.ts';
import { type Diagnosis, diagnosesOf } from './diagnosis.ts';

/** Checks the mail server: whether it can be reached and takes the login; with an address, whether it takes a mail to it. */
export async function checkMail(
  { smtp, publicUrl, host, port }: Pick<ServerConfig, 'smtp' | 'publicUrl' | 'host' | 'port'>,
  mailTo: string | null,
): Promise<readonly Diagnosis[]> {
  const check = diagnosesOf('mail');
  if (smtp === null)
    return mailTo === null
      ? []
      : [
          check.fail(
            'No mail server is set, so no test mail was sent.',
            'Set SMTP_URL and SMTP_FROM, then run docloom doctor again.',
          ),
        ];
  const server = `${smtp.host}:${smtp.port}`;
  try {
    if (mailTo === null) {
      await checkMailServer(smtp);
      const again = 'docloom doctor --mail-to <address> sends a test mail.';
      return [
        check.ok(`${server} can be reached${smtp.login === null ? '' : ' and takes the login'}. ${again}`),
      ];
    }
    const url = publicUrl ?? `http://${host}:${port}`;
    await sendMail(smtp, { id: randomUUID(), to: mailTo, ...writeMail('test', { url }) });
    return [
      check.ok(`${server} took a test mail to ${mailTo}. Look whether it arrives, also in the spam folder.`),
    ];
  } catch (error) {
    if (!(error instanceof MailProblem)) throw error;
    return [check.fail(error.message, FIXES[error.kind])];
  }
}

const FIXES: Readonly<Record<MailProblem['kind'], string>> = {
  connection: 'Many hosts block port 25: use 587 or 465.',
  tls: 'A certificate of your own authority is trusted with NODE_EXTRA_CA_CERTS.',
  login: 'Special characters in SMTP_URL are percent-encoded: @ is %40, : is %3A, / is %2F.',
  recipient: 'Is the address right, and may this server send to it?',
  sender: 'Set SMTP_FROM to an address for which this mail server sends.',
  other: 'The log of the mail server says more.',
};
