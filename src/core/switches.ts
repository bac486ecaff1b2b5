/** Whether the value of an environment variable turns something off. */
export function isOff(value = ''): boolean {
  return /^(?:off|false|no|0)$/i.test(value.trim());
}

/** Whether the value of an environment variable turns something on. */
export function isOn(value = ''): boolean {
  return /^(?:on|true|yes|1)$/i.test(value.trim());
}
