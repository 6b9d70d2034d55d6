import { CatFile, type CatFileOptions } from './cat-file.ts';

/** Sizes requested at once. */
const sizesAtOnce = 4_096;

/**
 * `git cat-file --batch-command` (git 2.36 and newer), which also reports sizes without reading: one process serves
 * all reads of a repository.
 */
export class ObjectSession extends CatFile {
  constructor(options: CatFileOptions) {
    super(options, ['cat-file', '--batch-command', '--buffer']);
  }

  /** The sizes in bytes of those objects that are here; absent objects are left out. */
  async sizes(oids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    for (let at = 0; at < oids.length; at += sizesAtOnce) {
      const batch = oids.slice(at, at + sizesAtOnce);
      this.expect(batch.length);
      this.write(`info ${batch.join('\ninfo ')}\nflush\n`);
      for (const oid of batch) {
        const [, , size] = await this.readHead();
        this.expect(-1);
        if (size !== undefined) sizes.set(oid, Number(size));
      }
    }
    return sizes;
  }

  protected override requestFor(oids: readonly string[]): string {
    return `contents ${oids.join('\ncontents ')}\nflush\n`;
  }
}
