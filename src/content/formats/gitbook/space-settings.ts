import type { FilesRead } from '../../format-port/index.ts';
import type { ReusableFile, SpaceSettings, TreeEntry } from '../../model/index.ts';
import { readVariableValues, titleFromName } from '../../pages/index.ts';
import { type GitbookSpaceConfig, parseYaml } from './gitbook-config.ts';

/** The parts that pages include, the variables of `.gitbook/vars.yaml`, and the redirects of `.gitbook.yaml`. */
export function settingsOf(
  { redirects }: Pick<GitbookSpaceConfig, 'redirects'>,
  {
    files,
    includes,
    variablesText,
  }: {
    readonly files: FilesRead;
    readonly includes: readonly TreeEntry[];
    readonly variablesText: string | null;
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
    variables: (variablesText === null ? null : readVariableValues(parseYaml(variablesText))) ?? {},
    redirects,
  };
}
