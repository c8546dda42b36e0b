import type { JsonValue } from '../../base/json/json.ts';
import { jsonText } from '../../base/json/jsonText.ts';
import { toYaml } from '../../project/files/toYaml.ts';

/** A result for programs. Equal data gives equal text. */
export async function toText(value: JsonValue, format: 'json' | 'yaml'): Promise<string> {
  return format === 'yaml' ? withoutLastLineEnd(await toYaml(value)) : jsonText(value);
}

/** For output that ends the line itself. Other space at the end may belong to a value. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\n$/, '');
}
