/** Pages run no scripts, load nothing from elsewhere, and stand in nobody's frame. */
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The address of a report is its key, so no other site may hear of it.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const;

/** For a file from a repository that a browser opens on its own: whatever it holds, it runs in a sandbox without rights. */
export const fileSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
