export type ModelRefusalReason = 'budget' | 'busy' | 'failed' | 'timeout' | 'too-large' | 'wrong-answer';

/**
 * There is no answer of the model that can be used: take the way without one. The message is one sentence for operators.
 * `cause` is the error of the provider or of the network, where there is one.
 */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';
  readonly reason: ModelRefusalReason;

  constructor(reason: ModelRefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
