/** The conversations room: what people ask. Redaction, the issues of conversations, and their clusters. Pure. */
export { extractIssue, type Issue, type Message } from './extract-issue.ts';
export { redactText, redactUrl } from './redact.ts';
