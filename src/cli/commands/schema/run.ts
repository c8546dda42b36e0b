import { readFile } from 'node:fs/promises';
import type { Ending } from '../../answer/ending.ts';
import { formatted } from '../../answer/toText.ts';
import type { CommandContext } from '../../line/context.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { JsonValue } from '../../../schema/json/json.ts';
import type { OutputOptions } from '../../line/options.ts';
import { schemaNames } from './schemaNames.ts';
import { UsageError } from '../../line/usageError.ts';

/** Beside the bundle (`dist/chunks/..`, `dist/`), and in the source tree. */
const folders = ['../schemas/', './schemas/', '../../../../generated/schemas/'];

/** Prints the schema as JSON (`-o yaml`: as YAML); `plan` is that of `plan -o json`. */
export async function runSchema(
  { options, terminal, answer }: CommandContext<OutputOptions>,
  name: string,
): Promise<Ending> {
  if (!schemaNames.includes(name)) {
    throw new UsageError(`there is no schema ${JSON.stringify(name)}`, `There are: ${schemaNames.join(', ')}.`);
  }
  const schema = await schemaOf(name);
  if (options.output === 'text') terminal.result(await formatted(schema, 'json'));
  else answer.document(schema);
  return exitCode.ok;
}

async function schemaOf(name: string): Promise<JsonValue> {
  if (name === 'plan') return (await import('../../../plan/documents/planSchema.ts')).planSchema;
  if (name === 'saved-plan') return (await import('../../../plan/saved/savedForm.ts')).savedPlanSchema;
  if (name === 'explanation') return (await import('../../../plan/documents/explanationSchema.ts')).explanationSchema;
  if (name === 'drift') return (await import('../../../plan/documents/driftSchema.ts')).driftSchema;
  if (name === 'status') return (await import('../../../plan/documents/statusSchema.ts')).statusSchema;
  if (name === 'adoption') return (await import('../../../plan/documents/adoptionSchema.ts')).adoptionSchema;
  if (name === 'error') return (await import('../../../schema/published/errorSchema.ts')).errorSchema;
  return readSchema(name);
}

async function readSchema(name: string): Promise<JsonValue> {
  for (const folder of folders) {
    const text = await readFile(new URL(`${folder}${name}.json`, import.meta.url), 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
  }
  throw new Error(`the schema of ${name} is missing from this installation`);
}
