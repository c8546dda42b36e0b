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
  // Files with a byte order mark that were put one after the other have one at the beginning of each document.
  const body = text.includes('\uFEFF') ? text.replace(/^\uFEFF/gm, '') : text;
  return format === 'json' ? parseJson(body, file) : parseYaml(body, file);
}
