import type { Format, SpaceInput } from '../format-port/index.ts';
import { readBuildFiles } from './build-files.ts';
import { explainOutputs } from './build-outputs.ts';
import { explainIgnored, readIgnoredTargets } from './ignored-targets.ts';
import { type ExplainMade, makingTargets } from './made-targets.ts';

/** What the build of a space may make. */
export interface BuildTargets {
  /** Equal for two trees in which the same files say so. */
  readonly key: string;
  readonly explain: ExplainMade;
}

/** Reads what says which files a build makes: `.gitignore`, the build's tasks, and the programs that they run. */
export function readBuildTargets(space: SpaceInput): BuildTargets {
  const ignored = readIgnoredTargets(space);
  const files = readBuildFiles(space);
  const explained = [explainIgnored(ignored), explainOutputs(space, files)];
  return {
    key: [ignored.key, ...files.map(({ path }) => `${path} ${space.index.entry(path)?.oid}`)].join('\n'),
    explain(path, written) {
      for (const explain of explained) {
        const reason = explain(path, written);
        if (reason !== null) return reason;
      }
      return null;
    },
  };
}

/** The format of a builder that makes a site of the repository, possibly with files that the repository does not have. */
export function withBuild(format: Format): Format {
  return makingTargets(format, (space) => readBuildTargets(space).explain);
}
