import { deleteIdentity } from '../../store/index.ts';
import type { CommandIo, ExitCode } from '../command.ts';
import { openExistingStore } from '../open-existing-store.ts';

/** `docloom reset-key`: the next process that starts decides which SECRET_KEY seals. What the former one sealed stays unreadable. */
export async function runResetKey(io: CommandIo): Promise<ExitCode> {
  const store = await openExistingStore(io);
  try {
    await deleteIdentity(store.db, 'secret-key');
  } finally {
    await store.close();
  }
  io.stdout.write(
    'The next process that starts decides which key seals. People sign in again, and an App that was set up in the browser is set up again at /setup.\n',
  );
  return 0;
}
