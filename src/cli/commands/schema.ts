import { readFile } from 'node:fs/promises';
import type { JsonValue } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { toText } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { OutputOptions } from '../../terminal/options.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** Next to the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../schemas/', './schemas/', '../../../generated/schemas/'];

/** The schemas in the code; those of kinds are files. */
type Documents = Readonly<Record<string, () => Promise<JsonValue>>>;

/** Prints the schema as JSON (`-o yaml`: as YAML). */
export async function runSchema(
  { options, terminal, answer }: CommandContext<OutputOptions>,
  name: string,
  names: readonly string[],
  documents: Documents,
): Promise<Ending> {
  if (!names.includes(name)) {
    throw new UsageError(`there is no schema ${JSON.stringify(name)}`, available(names));
  }
  const schema = await (documents[name]?.() ?? readSchema(name));
  if (options.output === 'text') await terminal.page(await toText(schema, 'json'));
  else answer.document(schema);
  return exitCode.ok;
}

async function readSchema(name: string): Promise<JsonValue> {
  for (const folder of folders) {
    const text = await readFile(new URL(`${folder}${name}.json`, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
  }
  throw new Error(`the schema of ${name} is missing from this installation`);
}
