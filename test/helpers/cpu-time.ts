/**
 * Starts to measure what this process computes, and gives a function that tells it in milliseconds. For bounds on
 * work: unlike the time on the clock, it says little of what else the machine does.
 */
export function startCpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
