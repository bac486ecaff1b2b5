/** The numbers that are kept of each event of a text, as {@link TextLayout} names them. */
export interface TextColumns {
  readonly starts: Uint32Array;
  readonly textStarts: Uint32Array;
  readonly textEnds: Uint32Array;
  readonly shapeOf: Uint16Array;
  readonly envelopeOf: Uint16Array;
  readonly timestamps: Float64Array;
  readonly nanos: Uint32Array;
  readonly weights: Uint32Array;
}

/** Columns for so many events. */
export function textColumns(room: number): TextColumns {
  return {
    starts: new Uint32Array(room),
    textStarts: new Uint32Array(room),
    textEnds: new Uint32Array(room),
    shapeOf: new Uint16Array(room),
    envelopeOf: new Uint16Array(room),
    timestamps: new Float64Array(room),
    nanos: new Uint32Array(room),
    weights: new Uint32Array(room),
  };
}

/** The first events of columns, in columns for so many. */
export function resized(columns: TextColumns, length: number, room = length): TextColumns {
  const copy = textColumns(room);
  for (const name of Object.keys(copy) as (keyof TextColumns)[]) {
    copy[name].set(columns[name].subarray(0, length));
  }
  return copy;
}
