import { malformed } from '../http/http-error.ts';
import { type Members, optionalString, type Place, requireObject } from '../ingest/request-shape.ts';
import { attributesOf, objects, optionalObject } from './json-values.ts';
import type { OtlpRecords, RecordSource } from './otlp-record.ts';
import { SIGNALS, type Signal } from './signal.ts';

/**
 * The records of a request in JSON.
 *
 * @throws HttpError 400 for the first invalid part.
 */
export function* jsonRecords(value: unknown, signal: Signal): OtlpRecords {
  const request = requireObject(value, '');
  const { resources, scopes, records, name } = signal;
  for (const other of Object.values(SIGNALS)) {
    if (other === signal || request[other.resources] === undefined) continue;
    throw malformed(
      `The request has ${other.resources}. This path accepts ${name} only (${resources}). Send it to /v1/${other.name}.`,
    );
  }
  for (const { member: resourceRecords, place } of objects(request, resources, '')) {
    yield undefined;
    const resource = attributesOf(optionalObject(resourceRecords, 'resource', place), `${place}.resource`);
    for (const { member: scopeRecords, place: scopePlace } of objects(resourceRecords, scopes, `${place}.`)) {
      yield undefined;
      const source: RecordSource = { resource, scope: scopeOf(scopeRecords, scopePlace) };
      for (const { member, place: recordPlace } of objects(scopeRecords, records, `${scopePlace}.`)) {
        for (const read of signal.json(member, recordPlace)) yield { source, read };
      }
    }
  }
}

export function scopeOf(scopeRecords: Members, parent: Place): Members {
  const place = `${parent}.scope`;
  const scope = optionalObject(scopeRecords, 'scope', parent);
  const name = optionalString(scope.name, `${place}.name`);
  const version = optionalString(scope.version, `${place}.version`);
  return { ...attributesOf(scope, place), ...(name ? { name } : {}), ...(version ? { version } : {}) };
}
