import type { FilesRead } from '../../format-port/index.ts';
import type { ReusableFile, SpaceSettings, TreeEntry } from '../../model/index.ts';
import { readVariableValues, titleFromName } from '../../pages/index.ts';
import type { FileValues } from '../../yaml/index.ts';
import { type GitbookSpaceConfig, validYaml } from './gitbook-config.ts';

/** The parts that pages include, the variables of `.gitbook/vars.yaml`, and the redirects of `.gitbook.yaml`. */
export function settingsOf(
  { redirects }: Pick<GitbookSpaceConfig, 'redirects'>,
  {
    files,
    includes,
    variables,
  }: {
    readonly files: FilesRead;
    readonly includes: readonly TreeEntry[];
    readonly variables: FileValues | null;
  },
): SpaceSettings {
  return {
    reusable: includes.flatMap(({ path }): ReusableFile[] => {
      const shown = files.file(path);
      if (shown === null) return [];
      const facts = files.facts(shown.path);
      const ownTitle = facts?.frontMatter['title'];
      const title = typeof ownTitle === 'string' && ownTitle.trim() !== '' ? ownTitle.trim() : facts?.title;
      return [{ path, oid: shown.oid, title: title ?? titleFromName(path) }];
    }),
    variables: readVariableValues(validYaml(variables)) ?? {},
    redirects,
  };
}
