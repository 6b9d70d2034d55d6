import type { Resolve } from '../resolve-reference.ts';
import type { ChangedValues, ChangeKind, SpecChange } from './spec-change.ts';

/** Changes beyond this number are counted only. */
export const MAX_CHANGES = 1_000;

/** Whose values a schema describes: clients send a request, and get a response. */
export type Direction = 'request' | 'response';

/** What is being compared, for the sentences, and where the changes go. */
export class ChangeList {
  readonly changes: SpecChange[] = [];
  readonly oldResolve: Resolve;
  readonly newResolve: Resolve;
  /** Pairs of schemas that were compared: what one operation tells, the others that use it need not tell again. */
  readonly #compared = new WeakMap<object, WeakMap<object, Set<Direction>>>();
  #operation = '';
  #total = 0;
  #breaking = 0;

  constructor(oldResolve: Resolve, newResolve: Resolve) {
    this.oldResolve = oldResolve;
    this.newResolve = newResolve;
  }

  /** How many there are in all, also those that are not kept. */
  get counts(): { readonly total: number; readonly breaking: number } {
    return { total: this.#total, breaking: this.#breaking };
  }

  /** What is said until the next call is of this operation. */
  within(operation: string): void {
    this.#operation = operation;
  }

  add(
    kind: ChangeKind,
    breaking: boolean,
    place: { readonly side: 'old' | 'new'; readonly pointer: string },
    sentence: string,
    values: ChangedValues = {},
  ): void {
    this.#total++;
    if (breaking) this.#breaking++;
    else if (this.changes.length >= MAX_CHANGES) return;
    if (this.changes.length >= 2 * MAX_CHANGES) return;
    const { side, pointer } = place;
    const operation = this.#operation;
    const message = operation === '' ? sentence : `${operation}: ${sentence}`;
    this.changes.push({ kind, breaking, operation, pointer, side, message, ...values });
  }

  /** False when the pair was compared in this direction before, or is being compared: schemas may hold themselves. */
  begin(old: object, next: object, direction: Direction): boolean {
    const partners = this.#compared.get(old) ?? new WeakMap<object, Set<Direction>>();
    this.#compared.set(old, partners);
    const directions = partners.get(next) ?? new Set();
    partners.set(next, directions);
    if (directions.has(direction)) return false;
    directions.add(direction);
    return true;
  }
}
