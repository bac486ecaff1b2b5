import { isJsonObject } from '../../core/json-object.ts';
import type { SlicedWork } from '../../engine/index.ts';
import type { OtherSignal } from './other-signals.ts';
import { messagesIn } from './protobuf-decoder.ts';

/** The number of records in a request in JSON. */
export function countJson(request: unknown, { path }: OtherSignal): SlicedWork<number> {
  return countAt(request, path, (owner, [members]) =>
    members.flatMap((name) => (isJsonObject(owner) ? [owner[name] ?? []].flat() : [])),
  );
}

/** The number of records in a request in protobuf. @throws HttpError 400 if it is none */
export function countProtobuf(body: Uint8Array, signal: OtherSignal): SlicedWork<number> {
  return countAt(body, signal.path, (bytes, [, fields]) => messagesIn(bytes, fields, signal));
}

function* countAt<Item, Step>(
  root: Item,
  path: readonly Step[],
  partsOf: (item: Item, step: Step) => Iterable<Item | undefined>,
): SlicedWork<number> {
  let level: readonly Item[] = [root];
  for (const step of path) {
    const next: Item[] = [];
    for (const item of level) {
      yield;
      for (const part of partsOf(item, step)) if (part !== undefined) next.push(part);
    }
    level = next;
  }
  return level.length;
}
