/**
 * Command-line flags for our own workers: only those of the permission model, which a worker without flags escapes.
 * Modules that the program preloads are not for these workers, and might start another one.
 */
export function workerFlags(flags: readonly string[] = process.execArgv): string[] {
  let isPermission = false;
  return flags.filter((flag) => {
    // The value of a flag can be separate.
    if (flag.startsWith('-')) isPermission = /^--(permission|experimental-permission|allow-)/.test(flag);
    return isPermission;
  });
}
