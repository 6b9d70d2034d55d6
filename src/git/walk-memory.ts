import type { Walk } from './walk-tree.ts';

/** The largest number of remembered files and folders, over all repositories; each takes some 200 bytes. */
const maxRemembered = 200_000;

/** The last walk of each repository, so that the next one reads only the folders that changed. */
export class WalkMemory {
  readonly #walks = new Map<string, { readonly walk: Walk; readonly weight: number }>();
  #weight = 0;

  get(repository: string): Walk | undefined {
    return this.#walks.get(repository)?.walk;
  }

  store(repository: string, walk: Walk): void {
    this.delete(repository);
    let weight = 1;
    for (const { items, skipped } of walk.values()) weight += 1 + items.length + skipped.length;
    this.#walks.set(repository, { walk, weight });
    this.#weight += weight;
    for (const oldest of this.#walks.keys()) {
      if (this.#weight <= maxRemembered) break;
      this.delete(oldest);
    }
  }

  delete(repository: string): void {
    this.#weight -= this.#walks.get(repository)?.weight ?? 0;
    this.#walks.delete(repository);
  }
}
