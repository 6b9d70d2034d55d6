/** Pages that certainly exceed a limit are not tried again for this long, in ms; above this number the oldest are. */
const REFUSED_MS = 3_600_000;
const MAX_REFUSED = 1_000;

/** Why pages are refused, by their digests. */
export class RefusedPages {
  readonly #reasons = new Map<string, { readonly message: string; readonly until: number }>();

  get(key: string): string | undefined {
    const reason = this.#reasons.get(key);
    if (reason === undefined || reason.until > performance.now()) return reason?.message;
    this.#reasons.delete(key);
    return undefined;
  }

  add(key: string, message: string): void {
    this.#reasons.set(key, { message, until: performance.now() + REFUSED_MS });
    const oldest = this.#reasons.size > MAX_REFUSED ? this.#reasons.keys().next().value : undefined;
    if (oldest !== undefined) this.#reasons.delete(oldest);
  }
}
