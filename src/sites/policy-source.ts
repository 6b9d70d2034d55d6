/** A host that means itself alone in a policy: no `*`, and nothing that would end the source or the directive. */
const PLAIN_HOST = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])$/;

/** An origin as a source of a Content-Security-Policy; null where the policy could not name it alone. */
export function policySource({ origin, hostname }: URL): string | null {
  return PLAIN_HOST.test(hostname) ? origin : null;
}
