/** Pages run this server's own scripts only, load nothing from other hosts, and cannot be framed. */
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The address of a report is a secret, so it must not reach other sites.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const;

/** The policy of a page that shows another page of this server in a frame. */
export const framePolicy = `${securityHeaders['content-security-policy']}; frame-src 'self'`;

/** The policy of the editor, which runs this server's own scripts; only styles with the nonce of this answer are added by them. */
export function editorPolicy(nonce: string): string {
  return `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}
