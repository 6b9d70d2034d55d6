/** Where the store and the queue report what they do, such as a server that is started again. Nothing secret is passed. */
export type Log = (line: string, fields?: Record<string, unknown>) => void;
