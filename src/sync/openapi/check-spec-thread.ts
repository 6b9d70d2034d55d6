/** Runs in a thread that checks specifications one after another; see `openSpecThread`. */
import { serveThread } from '../../openapi/index.ts';
import { checkSpec, type SideFile, type SpecCheck, type SpecFindings } from './check-spec.ts';

serveThread<SpecCheck, SideFile, SpecFindings>((task, read) =>
  checkSpec(task, (side, file) => read({ side, file })),
);
