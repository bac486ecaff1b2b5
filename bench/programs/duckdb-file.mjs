// Runs one query of DuckDB on one thread, on a file that it reads, and prints the rows: `duckdb-file.mjs <sql>`.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const requireFromPeers = createRequire(new URL('../peers/package.json', import.meta.url));
const path = requireFromPeers.resolve('@duckdb/node-api');
const { DuckDBInstance } = await import(pathToFileURL(path).href);
const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
const reader = await connection.runAndReadAll(process.argv[2]);
for (const row of reader.getRows()) process.stdout.write(`${row.join('\t')}\n`);
