// Builds dist/, without the warning that the command of tsdown prints on Node 20, which this package supports.
import { parseArgs } from 'node:util';
import { build } from 'tsdown';

const { logLevel } = parseArgs({ options: { logLevel: { type: 'string' } } }).values;
await build({ logLevel });
