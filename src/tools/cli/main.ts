#!/usr/bin/env node
import nodeModule from 'node:module';

// Newer versions of Node can keep compiled code between runs, so that a command starts in less time.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();

import('./run-cli.ts')
  .then(({ runCli }) => runCli(process.argv.slice(2)))
  .then((exitCode) => {
    process.exitCode = exitCode;
  });
