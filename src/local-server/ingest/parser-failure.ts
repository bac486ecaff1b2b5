import type { StoredEvent } from '../store/stored-event.ts';

/** Fields that mark an event whose parser failed. */
export function failureFields(message: string): StoredEvent {
  return { '@error': 'true', '@event_parsed': 'false', '@error_msg': message };
}
