import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { manifestSchema } from '../../src/kinds/jsonSchema.ts';
import { policySettingsSchema } from '../../src/policies/settings/policySettings.ts';
import { starter } from '../../src/policies/starter/starter.ts';
import { settingsSchema } from '../../src/project/settings/settingsFile.ts';
import { stackEvents } from '../../src/reconcile/model.ts';
import { reconcileSchema } from '../../src/reconcile/sources/reconcileForm.ts';
import { exitCode, exitMeanings, retryOf } from '../../src/terminal/process/exitCode.ts';
import { code, table } from './fieldTable.ts';

const settings = settingsSchema(policySettingsSchema);

/** The objects that people write, each where its schema has it. */
const written: Readonly<Record<string, JsonObject>> = {
  lifecycle: at(manifestSchema('gvc'), 'lifecycle'),
  kinds: inEach(at(settings, 'kinds')),
  limits: at(inEach(at(settings, 'environments')), 'limits'),
  rule: inEach(at(at(settings, 'policies'), 'rules')),
  stacks: inEach(at(reconcileSchema, 'stacks')),
  follow: at(reconcileSchema, 'follow'),
  repositories: inEach(at(reconcileSchema, 'repositories')),
  signIn: at(reconcileSchema, 'sign-in'),
};

/** What people write, amid the words of a description: options, objects, lists, paths. */
const asWritten = /--[a-z][\w-]*|\{[^}]*\}|\[[^\]]*\]|\bspec[.\w*]+\w|(?<= )\/org\/[\w/]+|(?<= )\*(?= )/g;

/** The members of such an object, each as editors show it. */
export function memberTable(of: string): string {
  const schema = Object.hasOwn(written, of) ? written[of] : undefined;
  if (schema === undefined) throw new Error(`no object ${of} among ${Object.keys(written).join(', ')}`);
  return rowsOf(
    'Setting',
    Object.entries(member(schema, 'properties')).map(([name, inside]) => {
      const description = isObject(inside) ? inside['description'] : undefined;
      if (typeof description !== 'string') throw new Error(`${of}.${name} has no description`);
      return [name, description.replaceAll(asWritten, code('$&'))];
    }),
  );
}

export function exitCodeTable(): string {
  return table(
    ['Exit code', 'What it means', 'Worth a retry? (`retry`)'],
    Object.values(exitCode).map((exit) => [String(exit), exitMeanings[exit], code(retryOf('', exit))]),
  );
}

export const eventTable = (): string => rowsOf('Event', Object.entries(stackEvents));
export const starterTable = (): string =>
  rowsOf(
    'Policy',
    starter.map(({ id, about = '' }) => [id, about]),
  );

function rowsOf(head: string, rows: readonly (readonly [string, string])[]): string {
  return table(
    [head, 'What it says'],
    rows.map(([name, text]) => [code(name), text]),
  );
}

function at(schema: JsonObject, name: string): JsonObject {
  return member(member(schema, 'properties'), name);
}

/** Of a list, or of an object with names that people choose. */
function inEach(schema: JsonObject): JsonObject {
  const { items, patternProperties, additionalProperties } = schema;
  const each = [items, ...(isObject(patternProperties) ? Object.values(patternProperties) : []), additionalProperties];
  const found = each.find(isObject);
  if (found === undefined) throw new Error('neither a list nor a dictionary');
  return found;
}

function member(schema: JsonObject, name: string): JsonObject {
  const found = schema[name];
  if (!isObject(found)) throw new Error(`the schema has no ${name}`);
  return found;
}
