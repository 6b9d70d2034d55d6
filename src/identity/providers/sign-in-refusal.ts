import { storableText } from '../storable-text.ts';

/**
 * What came back from a provider signs nobody in. The message is for administrators; people are shown less.
 *
 * @template Reason a stable word for each sentence
 */
export abstract class SignInRefusal<Reason extends string = string> extends Error {
  readonly reason: Reason;

  /** @param options `detail` follows the sentence in brackets. */
  protected constructor(
    sentences: Readonly<Record<Reason, string>>,
    reason: Reason,
    options?: ErrorOptions & { readonly detail?: string | undefined },
  ) {
    const { detail } = options ?? {};
    super(
      detail === undefined ? sentences[reason] : `${sentences[reason]} (${storableText(detail)})`,
      options,
    );
    this.reason = reason;
  }
}
