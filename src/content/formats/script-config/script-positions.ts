import { isScriptObject, type ScriptObject, type ScriptValue } from './script-value.ts';

/** A part of a text, as offsets in UTF-16 code units; the end is exclusive. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The positions of the texts in a configuration's lists and objects: inside the quotes of the literal. A text that comes
 * from elsewhere (a constant, a module, an expression) has no position.
 */
export class ScriptPositions {
  readonly #known = new WeakMap<object, Map<string | number, ValueSpan>>();

  /** The span of an object's entry or a list's item; null when it has no position. */
  of(value: ScriptObject | readonly ScriptValue[], key: string | number): ValueSpan | null {
    const container = isScriptObject(value) ? value.entries : value;
    return this.#known.get(container)?.get(key) ?? null;
  }

  /** `container` is a list or the entries of an object; `span` is null for a text without a position. */
  set(container: object, key: string | number, span: ValueSpan | null): void {
    if (span === null) {
      this.#known.get(container)?.delete(key);
      return;
    }
    const spans = this.#known.get(container) ?? new Map<string | number, ValueSpan>();
    spans.set(key, span);
    this.#known.set(container, spans);
  }

  copy(from: object, fromKey: string | number, to: object, toKey: string | number): void {
    this.set(to, toKey, this.#known.get(from)?.get(fromKey) ?? null);
  }
}
