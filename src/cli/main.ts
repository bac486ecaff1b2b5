#!/usr/bin/env node
import { runCli } from './run-cli.ts';

// A reader that has seen enough (`logclient … | head`) closes the pipe: that ends the command, it is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

runCli(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
