const CONFIRMED_MS = 2_500;

/** An element of `play.html`. */
export function byId<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

export function onClick(id: string, action: () => void): void {
  byId(id).onclick = action;
}

/** Copies a string when a button is clicked, and confirms it. */
export function copyOnClick(id: string, text: () => string, confirmation = (): string => 'Copied'): void {
  const button = byId(id);
  const label = button.textContent;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    button.textContent = confirmation();
    setTimeout(() => {
      button.textContent = label;
    }, CONFIRMED_MS);
  };
  onClick(id, () => void copy());
}
