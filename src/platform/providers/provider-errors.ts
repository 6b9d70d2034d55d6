/** The provider will not answer until a person changes something. The message is for people and contains no secret. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';
  /** The requested pause in milliseconds; null if the provider named none. */
  readonly afterMs: number | null;

  constructor(afterMs: number | null, message: string) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** The provider would accept fewer or shorter texts. */
export class RequestTooLarge extends Error {
  override readonly name = 'RequestTooLarge';
}

/** The provider answered with an error of its own, which may pass. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
}
