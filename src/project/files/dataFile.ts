import type { JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { Locate, Written } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import { decodeText } from './decodeText.ts';
import { type FileProblem, FileRefusal } from './fileRefusal.ts';
import { type ReadOptions, readBytes } from './readBytes.ts';

export interface DataFile {
  /** Null if the file is empty. */
  readonly value: JsonValue;
  /** The text of a value in the file, if known. */
  readonly written: Written;
  /** Absent if positions are not known. */
  readonly locate?: Locate;
}

/** Number of characters from which a file is assumed to be written by a program. */
const large = 1_000_000;

/**
 * The single document in a YAML or JSON file. Errors: those of the system, and `FileRefusal`; no message quotes the
 * file, which may contain a secret.
 */
export async function readDataFile(path: string, options: ReadOptions): Promise<DataFile> {
  const decoded = decodeText(await readBytes(path, options), path);
  if ('problem' in decoded) throw refusal([decoded.problem]);
  const { text } = decoded;
  const json = text.length > large && /^\uFEFF?\s*[[{]/.test(text) ? parsedJson(text) : undefined;
  if (json !== undefined) return { value: json, written: () => undefined };

  const { documents, problems } = parseManifestText({
    text,
    file: path,
    format: path.endsWith('.json') ? 'json' : 'yaml',
  });
  if (problems.length > 0) throw refusal(problems);
  const [document, ...others] = documents;
  if (others.length > 0) throw new FileRefusal(`it holds ${documents.length} documents where one is expected`);
  const { value = null, written = () => undefined, locate } = document ?? {};
  return { value, written, ...present({ locate }) };
}

/**
 * Reads a snapshot of a large platform, for which the YAML reader, which finds duplicate keys, would take many times as
 * long.
 */
function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined; // perhaps YAML; else the YAML reader reports the error
  }
}

/** The message names the first problem. */
function refusal(problems: readonly FileProblem[]): FileRefusal {
  const said = problems.map(({ message, position: { line, column } }) => `line ${line}, column ${column}: ${message}`);
  return new FileRefusal(said[0] ?? '', problems);
}
