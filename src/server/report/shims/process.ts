/** The part of `process` that the query engine uses: browsers report no CPU time. */
export const process = {
  cpuUsage: (): { user: number; system: number } => ({ user: performance.now() * 1000, system: 0 }),
};
