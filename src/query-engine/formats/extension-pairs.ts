/** The members of a CEF or LEEF extension, with labels resolved. */
export interface LabelledPairs {
  /** Without labels and labeled members, unless labels are kept. */
  readonly members: ReadonlyMap<string, string>;
  /** Values by label. */
  readonly labeled: ReadonlyMap<string, string>;
}

const LABEL = 'Label';

/** Turns `cs1Label=Rule cs1=drop` into the value `drop` with the label `Rule`. */
export function applyLabels(pairs: ReadonlyMap<string, string>, keepLabels: boolean): LabelledPairs {
  const members = new Map(pairs);
  const labeled = new Map<string, string>();
  for (const [key, label] of pairs) {
    if (!key.endsWith(LABEL) || label === '') continue;
    const name = key.slice(0, -LABEL.length);
    const value = pairs.get(name);
    if (value === undefined) continue;
    labeled.set(label, value);
    if (!keepLabels) {
      members.delete(key);
      members.delete(name);
    }
  }
  return { members, labeled };
}
