/** Counts how often others could use the thread while something happened. */
export async function turnsDuring<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    return { result: await work, turns };
  } finally {
    isDone = true;
  }
}
