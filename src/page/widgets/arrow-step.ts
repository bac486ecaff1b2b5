/** Returns -1 for the key ← and 1 for →, which then are no shortcuts; 0 for other keys. */
export function arrowStep(event: KeyboardEvent): -1 | 0 | 1 {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    event.stopPropagation();
  }
  return step;
}
