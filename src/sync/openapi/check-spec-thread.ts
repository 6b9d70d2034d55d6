/** Runs in a thread that checks specifications one after another; see `openSpecThread`. */
import type { FileContent } from '../../openapi/index.ts';
import { serveThread } from '../../threads/index.ts';
import { checkSpec, type SideFile, type SpecCheck, type SpecFindings } from './check-spec.ts';

serveThread<SpecCheck, SideFile, FileContent, SpecFindings>((task, read) =>
  checkSpec(task, (side, file) => read({ side, file })),
);
