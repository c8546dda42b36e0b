import type { JsonValue } from '../../schema/json.ts';

/** A result for programs. Equal data gives equal text. */
export async function formatted(value: JsonValue, format: 'json' | 'yaml'): Promise<string> {
  return format === 'json' ? JSON.stringify(value, null, 2) : withoutLastLineEnd(await toYaml(value));
}

/** For output that ends the line itself. Other space at the end may belong to a value. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\n$/, '');
}

/** One YAML document, without anchors. */
export async function toYaml(value: JsonValue): Promise<string> {
  const { dump } = await import('js-yaml');
  return dump(value, { noRefs: true, lineWidth: -1 });
}
