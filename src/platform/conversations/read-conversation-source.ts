import { redactText } from '../../conversations/index.ts';
import { DEFAULT_SOURCE } from './ingest-conversations.ts';

const WHOLE = /^integration:[A-Za-z0-9._/-]{1,100}:[A-Za-z0-9._/-]{1,140}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The source that the attribute `source` of a conversation names; null for what names none. */
export function readConversationSource(attribute: string | undefined): string | null {
  if (attribute === undefined) return DEFAULT_SOURCE;
  if (attribute === 'email') return attribute;
  const source = NAME.test(attribute) ? `integration:${attribute}:api` : attribute;
  return WHOLE.test(source) && redactText(source) === source ? source : null;
}
