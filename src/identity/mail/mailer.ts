import Type from 'typebox';
import { defineJob, type JobContext, PermanentFailure, type Queue } from '../../queue/index.ts';
import {
  type Database,
  type Db,
  insertMail,
  loadMail,
  newId,
  recordMailAttempt,
  recordMailFailed,
  recordMailSent,
  recordMailWithdrawn,
  type Sealer,
} from '../../store/index.ts';
import { isMailTemplate, type MailTemplate, type MailValues, writeMail } from './mail-templates.ts';
import { MailProblem, sendMail } from './send-mail.ts';
import type { SmtpSettings } from './smtp-settings.ts';

/** A mail to one person. */
export interface OutgoingMail<T extends MailTemplate = MailTemplate> {
  readonly template: T;
  readonly to: string;
  readonly values: MailValues[T];
  /** The organization that it is about, with which it is deleted. */
  readonly organizationId?: string | null;
  /** When its address stops working: later it is not sent. */
  readonly expiresAt?: Date;
  /** The id of what it tells of, by which {@link MayHaveMail} knows whether its reader may still have it. */
  readonly subjectId?: string;
}

/**
 * Whether the reader of a mail may have it at the moment in which it is sent: a mail waits up to a day for a mail server,
 * and what its reader may see can change meanwhile.
 */
export type MayHaveMail = (mail: {
  readonly template: MailTemplate;
  readonly to: string;
  readonly organizationId: string | null;
  /** Null for a mail that names no subject. */
  readonly subjectId: string | null;
}) => Promise<boolean>;

/** The mails of this server. */
export interface Mailer {
  /** Whether a mail server is set (SMTP_URL). Without one nothing is sent: show people the address to copy instead. */
  readonly isSet: boolean;
  /**
   * Makes a mail durable in the caller's transaction; it is sent soon after. Without a mail server it is only recorded, as
   * `not-sent`, without what it says.
   */
  enqueue<T extends MailTemplate>(
    db: Db,
    mail: OutgoingMail<T>,
  ): Promise<{ readonly id: string; readonly state: 'queued' | 'not-sent' }>;
  /** Starts sending in this process what its reader may still have. */
  start(mayHave: MayHaveMail): Promise<void>;
}

/**
 * Sends a mail. A process that dies after the mail server took the mail and before that was recorded sends it again, with
 * the same Message-ID.
 */
export const mailJob = defineJob({
  name: 'identity.mail',
  payload: Type.Object({ mailId: Type.String() }),
  // For a good day: mail servers that are down, or ask to come back later (greylisting).
  retryLimit: 30,
  retryDelay: 10,
  retryDelayMax: 60 * 60,
  expireInSeconds: 5 * 60,
  key: ({ mailId }) => mailId,
  concurrency: 2,
});

const WITHDRAWN =
  'What the mail tells of ended before a mail server took it, or its reader may not see it any more.';

interface SealedMail {
  readonly values: MailValues[MailTemplate];
  /** ISO 8601; null for one that never stops working. */
  readonly expiresAt: string | null;
  /** Absent in mails that an earlier release made. */
  readonly subjectId?: string | null;
}

export function openMailer(parts: {
  readonly db: Database;
  readonly queue: Queue;
  readonly sealer: Sealer;
  readonly smtp: SmtpSettings | null;
  readonly now?: () => Date;
}): Mailer {
  const { db, queue, sealer, smtp, now = () => new Date() } = parts;
  return {
    isSet: smtp !== null,
    async enqueue(tx, { template, to, values, organizationId = null, expiresAt, subjectId = null }) {
      const id = newId();
      const state = smtp === null ? 'not-sent' : 'queued';
      const sealed: SealedMail = { values, expiresAt: expiresAt?.toISOString() ?? null, subjectId };
      await insertMail(tx, {
        id,
        organizationId,
        recipient: to,
        template,
        state,
        sealedValues: smtp === null ? null : sealer.seal(JSON.stringify(sealed)),
        ...(smtp === null && { endedAt: now() }),
      });
      if (smtp !== null) await queue.enqueue(tx, mailJob, { mailId: id }, { priority: 1 });
      return { id, state };
    },
    async start(mayHave) {
      await queue.work(mailJob, ({ mailId }, context) => send(mailId, mayHave, context));
    },
  };

  async function send(
    mailId: string,
    mayHave: MayHaveMail,
    { lastAttempt, exhausted }: JobContext,
  ): Promise<void> {
    const mail = await loadMail(db, mailId);
    if (mail === null || mail.state !== 'queued' || mail.sealedValues === null) return;
    try {
      if (exhausted)
        throw new PermanentFailure('The server stopped each time while it was sending this mail.');
      if (smtp === null) throw new Error('SMTP_URL is not set any more, so the mail cannot be sent.');
      if (!isMailTemplate(mail.template))
        throw new Error(`The mail is written from the template ${mail.template}, which this release lacks.`);
      const {
        values,
        expiresAt,
        subjectId = null,
      } = JSON.parse(sealer.unseal(mail.sealedValues)) as SealedMail;
      if (expiresAt !== null && now() >= new Date(expiresAt))
        throw new PermanentFailure('The address in this mail expired before a mail server took it.');
      const { template, recipient: to, organizationId } = mail;
      if (!(await mayHave({ template, to, organizationId, subjectId })))
        return await recordMailWithdrawn(db, mailId, WITHDRAWN, now());
      await sendMail(smtp, { id: mailId, to, ...writeMail(template, values) });
    } catch (error) {
      const problem = (error as Error).message;
      const isFinal =
        lastAttempt || error instanceof PermanentFailure || (error instanceof MailProblem && error.isFinal);
      if (!isFinal) {
        await recordMailAttempt(db, mailId, problem);
        throw new Error(problem);
      }
      await recordMailFailed(db, mailId, problem, now());
      throw new PermanentFailure(problem);
    }
    await recordMailSent(db, mailId, now());
  }
}
