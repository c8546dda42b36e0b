import { toYaml } from '../../automation/files/toYaml.ts';
import type { JsonValue } from '../../schema/json/json.ts';

/** What a terminal would act on, and JSON leaves as it is. */
const control = /[\u007f-\u009f]/g;

/** A result for programs. Equal data gives equal text. */
export async function toText(value: JsonValue, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'yaml') return withoutLastLineEnd(await toYaml(value));
  const text = JSON.stringify(value, null, 2);
  return text.replace(control, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** For output that ends the line itself. Other space at the end may belong to a value. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\n$/, '');
}
