/** Milliseconds of this thread's processor time that something takes, which is the same however busy the machine is. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
