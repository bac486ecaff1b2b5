/** `process` as far as the query engine uses it: a browser reports no processor time. */
export const process = {
  cpuUsage: (): { user: number; system: number } => ({ user: performance.now() * 1000, system: 0 }),
};
