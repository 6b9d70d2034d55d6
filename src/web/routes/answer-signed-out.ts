import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInPath } from '../addresses.ts';
import { renderUnsentForm, type SentFields } from '../views/unsent-form-view.ts';

/** Names of fields that may hold a secret, which is never sent back. */
const SECRET_FIELD = /password|secret|token|^(?:current|key|code)$/i;

/**
 * Sends somebody who is not signed in to the form for that and back. What they sent in a form is not lost by it: they get
 * a page from which they send it again.
 */
export function answerSignedOut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fields = request.method === 'POST' ? readFields(request) : null;
  if (fields === null) return reply.redirect(signInPath(request.url), 303);
  return reply.code(403).send(renderUnsentForm(request.url, fields));
}

/** Null for what a page can't send again: files, secrets, and requests of scripts, which keep what they sent. */
function readFields({ body, headers }: FastifyRequest): SentFields | null {
  if (headers.accept?.includes('text/html') !== true) return null;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return null;
  const fields = Object.entries(body as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): readonly [string, string] => [name, String(one)]),
  );
  return fields.some(([name, value]) => SECRET_FIELD.test(name) && value !== '') ? null : fields;
}
