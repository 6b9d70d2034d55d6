import type { CommandIo, ExitCode } from '../command.ts';

/** Prints the JSON Schema of `docloom.yml`, for editors and other checks. */
export async function runSchema(io: CommandIo): Promise<ExitCode> {
  const { configJsonSchema } = await import('../../config/index.ts');
  const { $id: _address, ...schema } = configJsonSchema('');
  io.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}
