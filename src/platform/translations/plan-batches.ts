import type { Provider } from './providers/provider.ts';

/** Splits texts into batches of one request each, in their order. A text that exceeds the limits is a batch of its own. */
export function planBatches<T extends { readonly source: string }>(
  texts: readonly T[],
  limits: Pick<Provider, 'maxTexts' | 'maxLength'>,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let length = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    const isFull =
      last === undefined || last.length >= limits.maxTexts || length + text.source.length > limits.maxLength;
    if (isFull) {
      batches.push([text]);
      length = text.source.length;
    } else {
      last.push(text);
      length += text.source.length;
    }
  }
  return batches;
}
