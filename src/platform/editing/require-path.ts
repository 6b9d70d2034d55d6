import { entryNameProblem, windowsNameProblem } from '../../git/index.ts';
import { invalid } from '../api/api-error.ts';

/** Throws a 400 for a path that no file of the space can have. */
export function requirePath(path: string, at: string, directory: string): void {
  const isWrong = (name: string) => entryNameProblem(Buffer.from(name)) !== null;
  if (path.includes('\0') || path.split('/').some(isWrong)) {
    throw invalid(
      at,
      'must be a path in the repository without ., .. and .git and without a slash at its start or end',
    );
  }
  if (directory !== '' && !path.startsWith(`${directory}/`))
    throw invalid(at, `must be inside the folder of the space, ${directory}`);
  const own = directory === '' ? path : path.slice(directory.length + 1);
  for (const name of own.split('/')) {
    const problem = windowsNameProblem(name);
    if (problem !== null) throw invalid(at, `cannot be checked out on Windows: ${problem}`);
  }
}
