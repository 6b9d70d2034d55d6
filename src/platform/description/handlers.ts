import { describeApi, operations } from '../../contract/index.ts';
import { currentRelease } from '../../store/index.ts';
import { type HandlersOf, SerializedAnswer } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';

export function descriptionHandlers(deps: PlatformDeps): HandlersOf<'description'> {
  let answer: SerializedAnswer | undefined;
  // On first use, like the compiled checks of requests: it takes a good part of a start, and few ask for it.
  const describe = () =>
    new SerializedAnswer(
      JSON.stringify(
        describeApi(operations, { serverUrl: `${deps.publicUrl}/v1`, version: currentRelease.release }),
      ),
    );
  return {
    getDescription: async () => {
      answer ??= describe();
      return answer as never;
    },
  };
}
