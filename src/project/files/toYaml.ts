import { escapeBeyondAscii } from '../../base/json/escapeControls.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { jsonText } from '../../base/json/jsonText.ts';

/**
 * One YAML document, without anchors. Written as JSON, which is valid YAML, if a text is too long for the library or
 * has characters that change the direction of a line.
 */
export async function toYaml(value: JsonValue): Promise<string> {
  const { dump } = await import('js-yaml');
  try {
    const text = dump(value, { noRefs: true, lineWidth: -1 });
    return escapeBeyondAscii(text) === text ? text : `${jsonText(value)}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // its grammar for unquoted texts needs stack for each character
    return `${jsonText(value)}\n`;
  }
}
