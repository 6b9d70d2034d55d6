import type { OperationView, ServerView } from './operation-view.ts';

/** Stands for a server that the description does not name. */
const UNKNOWN = 'https://api.example.com';

/** The servers of an operation, also of one that an older release stored. */
export function serversOf({ servers, serverChoices }: OperationView): readonly ServerView[] {
  return serverChoices ?? servers.map((url) => ({ url, description: '', variables: [] }));
}

/** The address of a server with the first value of each variable, without a slash at its end; for samples. */
export function serverAddress(server: ServerView | undefined): string {
  const { url = '', variables = [] } = server ?? {};
  const filled = url.replace(
    /\{([^{}]*)\}/g,
    (written, name: string) => variables.find((variable) => variable.name === name)?.initial ?? written,
  );
  const base = /^https?:/i.test(filled) ? filled : `${UNKNOWN}${filled.startsWith('/') ? filled : ''}`;
  return base.replace(/\/+$/, '');
}
