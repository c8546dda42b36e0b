import type { JsonValue } from './json.ts';

/** Characters that a terminal would act on, and JSON leaves as they are. */
const control = /[\u007f-\u009f]/g;

/** A document as people can read it too, without a line end. Equal data gives equal text. */
export function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(control, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
