import { Resolver } from 'node:dns/promises';

/** The TXT records of a name, or null when the DNS has none. Throws when no name server answers. */
export type ResolveTxt = (name: string) => Promise<readonly string[] | null>;

/** Asks the system's name servers, once more after 3 s, for at most 6 s, and reads at most 100 records. */
export const resolveTxt: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).slice(0, 100).map((parts) => parts.join(''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return null;
    throw error;
  }
};
