/** Makes names unique within a page: a second `name` becomes `name-1`, then `name-2`; numbers in use are skipped. */
export class UniqueNames {
  readonly #used = new Set<string>();
  readonly #next = new Map<string, number>();

  /** Marks a name as used, even if it already is. */
  reserve(name: string): void {
    this.#used.add(name);
  }

  next(wanted: string): string {
    let name = wanted;
    for (let count = this.#next.get(wanted) ?? 1; this.#used.has(name); count += 1) {
      name = `${wanted}-${count}`;
      this.#next.set(wanted, count + 1);
    }
    this.#used.add(name);
    return name;
  }
}
