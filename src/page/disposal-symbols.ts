// Older browsers have no symbols for disposal, which the client uses.
for (const name of ['dispose', 'asyncDispose']) {
  if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(name) });
}
