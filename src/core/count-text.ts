/** Such as `1 event` and `14,312 events`; without `Intl`, whose first use takes 20 ms. */
export function countText(count: number, noun: string): string {
  return `${String(count).replace(/\B(?<!\.\d*)(?=(?:\d{3})+$)/g, ',')} ${noun}${count === 1 ? '' : 's'}`;
}
