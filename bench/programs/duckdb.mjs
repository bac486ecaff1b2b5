// DuckDB, with the events in an in-memory table and in a JSON file that it reads for each query.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { answer } from './answers.mjs';

const requireFromPeers = createRequire(new URL('../peers/package.json', import.meta.url));

let connection;

answer({
  /** @returns whether DuckDB is installed */
  async load({ file }) {
    let resolved;
    try {
      resolved = requireFromPeers.resolve('@duckdb/node-api');
    } catch {
      return false;
    }
    const { DuckDBInstance } = await import(pathToFileURL(resolved).href);
    const instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
    await connection.run(`CREATE TABLE events AS SELECT * FROM read_json_auto('${file}')`);
    await connection.run(`CREATE VIEW texts AS SELECT * FROM read_json_auto('${file}')`);
    return true;
  },
  async query({ sql, isText }) {
    const start = performance.now();
    const reader = await connection.runAndReadAll(isText ? sql.replace('FROM events', 'FROM texts') : sql);
    const rows = reader.getRows();
    return { ms: performance.now() - start, rows: rows.length, value: Number(rows[0]?.[0]) };
  },
});
