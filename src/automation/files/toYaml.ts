import type { JsonValue } from '../../schema/json/json.ts';

/** One YAML document, without anchors. */
export async function toYaml(value: JsonValue): Promise<string> {
  const { dump } = await import('js-yaml');
  return dump(value, { noRefs: true, lineWidth: -1 });
}
