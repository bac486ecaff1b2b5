import { resolve } from 'node:path';
import { type InputOptions, type OutputChunk, rolldown } from 'rolldown';

export const TARGET = 'node20.19';

export const INPUT_OPTIONS: InputOptions = {
  // The compiler does not know that what a module exports stays as it is, which costs loops over bytes a fifth.
  optimization: { inlineConst: { mode: 'all', pass: 3 } },
  // ES modules of a package where it has them: they need no CommonJS wrapper.
  resolve: { mainFields: ['module', 'main'] },
};

/** The programs of threads, by the names of the files that return them. */
export const WORKERS = {
  worker: 'transports/worker/main.ts',
  request: 'src/core/http/node/request-worker.ts',
};

/** Everything in one file. */
export async function bundleWorker(name: keyof typeof WORKERS): Promise<OutputChunk> {
  const bundle = await rolldown({
    ...INPUT_OPTIONS,
    input: WORKERS[name],
    platform: 'node',
    resolve: {
      ...INPUT_OPTIONS.resolve,
      alias: { 'real-require': resolve('transports/worker/real-require.ts') },
    },
    transform: { target: TARGET },
  });
  const { output } = await bundle.generate({ format: 'cjs', minify: true, codeSplitting: false });
  return output[0];
}

/** In a function, whose variables are not properties of the global object. */
export async function workerText(name: keyof typeof WORKERS): Promise<string> {
  const { code } = await bundleWorker(name);
  return `(() => {'use strict';${code}})();`;
}
