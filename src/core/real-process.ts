/** The process itself. Jest gives each test file a copy of `process`, on which no event is emitted. */
export const realProcess: NodeJS.Process = findProcess();

/** Not every runtime has `node:vm`: Cloudflare Workers don't. */
function findProcess(): NodeJS.Process {
  try {
    return process.getBuiltinModule('node:vm').runInThisContext('process');
  } catch {
    return process;
  }
}

/** State of this thread that all copies of this package share: ESM and CommonJS, two versions, realms of Jest. */
export function sharedByCopies<State>(name: string, create: () => State): State {
  const owner = realProcess as unknown as { [key: symbol]: unknown };
  const key = Symbol.for(`logclient.${name}`);
  owner[key] ??= create();
  return owner[key] as State;
}
