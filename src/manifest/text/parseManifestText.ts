import type { ParsedText } from './parsedText.ts';
import { parseJson } from './parseJson.ts';
import { parseYaml } from './parseYaml.ts';

export interface ManifestText {
  readonly text: string;
  /** The name used in messages. */
  readonly file: string;
  readonly format: 'yaml' | 'json';
}

/** Text to documents. Nothing is thrown for bad text: it becomes problems with their place. */
export function parseManifestText({ text, file, format }: ManifestText): ParsedText {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return format === 'json' ? parseJson(body, file) : parseYaml(body, file);
}
