import type { Resolve } from '../resolve-reference.ts';
import type { ChangedValues, ChangeKind, SpecChange } from './spec-change.ts';

/** Changes beyond this number are only counted. */
export const MAX_CHANGES = 1_000;

/** Which values a schema describes: clients send requests and receive responses. */
export type Direction = 'request' | 'response';

/** Collects the changes of one comparison, and knows the operation that is being compared for their messages. */
export class ChangeList {
  readonly changes: SpecChange[] = [];
  readonly oldResolve: Resolve;
  readonly newResolve: Resolve;
  /** Pairs of schemas that were compared: a change in a shared schema is reported only for the first operation that uses it. */
  readonly #compared = new WeakMap<object, WeakMap<object, Set<Direction>>>();
  #operation = '';
  #total = 0;
  #breaking = 0;

  constructor(oldResolve: Resolve, newResolve: Resolve) {
    this.oldResolve = oldResolve;
    this.newResolve = newResolve;
  }

  /** The number of all changes, including those that are not stored. */
  get counts(): { readonly total: number; readonly breaking: number } {
    return { total: this.#total, breaking: this.#breaking };
  }

  /** Assigns the changes that are added until the next call to this operation; empty for none. */
  setOperation(operation: string): void {
    this.#operation = operation;
  }

  add(
    kind: ChangeKind,
    breaking: boolean,
    location: { readonly side: 'old' | 'new'; readonly pointer: string },
    sentence: string,
    values: ChangedValues = {},
  ): void {
    this.#total++;
    if (breaking) this.#breaking++;
    else if (this.changes.length >= MAX_CHANGES) return;
    if (this.changes.length >= 2 * MAX_CHANGES) return;
    const { side, pointer } = location;
    const operation = this.#operation;
    const message = operation === '' ? sentence : `${operation}: ${sentence}`;
    this.changes.push({ kind, breaking, operation, pointer, side, message, ...values });
  }

  /** Returns false when the pair was compared in this direction before or is being compared, as schemas may be recursive. */
  startComparing(old: object, next: object, direction: Direction): boolean {
    const partners = this.#compared.get(old) ?? new WeakMap<object, Set<Direction>>();
    this.#compared.set(old, partners);
    const directions = partners.get(next) ?? new Set();
    partners.set(next, directions);
    if (directions.has(direction)) return false;
    directions.add(direction);
    return true;
  }
}
