import { hiddenTexts } from '../../../client/hiddenTexts.ts';
import { type JsonObject, type JsonValue, own, put } from '../../../schema/json/json.ts';
import type { SecretType } from '../../../schema/kinds/secret.ts';
import type { Shape } from '../../../schema/shape/shape.ts';
import { shapeOf } from '../../../schema/shape/shapeOf.ts';
import type { Ending } from '../../answer/ending.ts';
import { toText } from '../../answer/toText.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { Call, OptionRow, Run } from '../call/command.ts';
import { readTextOf } from '../call/input.ts';
import { openItem } from '../call/item.ts';
import { pairOf, tagsOf } from '../grammar/tags.ts';
import { showRecord } from '../output/present.ts';
import { homeOf } from '../wire/paths.ts';

/** The options of `secret create-TYPE`, from the shape of its `data`. */
export function secretOptions(type: SecretType): readonly OptionRow[] {
  const data = dataShape(type);
  if (data.type === 'map') {
    return [{ flags: '--entry <key=value>', about: `an entry; the value ${source}`, many: true, required: true }];
  }
  if (data.type !== 'object') {
    return [{ flags: '--file <path>', about: 'the file with the value; - is standard input', required: true }];
  }
  return [...data.fields].map(([name, field]): OptionRow => {
    const isRequired = data.required?.has(name) === true;
    const value = field.type === 'list' ? '<text>' : '<value>';
    return {
      flags: `--${kebab(name)} ${value}`,
      about: `${words(name)}; ${source}`,
      ...(field.type === 'list' ? { many: true as const } : {}),
      ...(isRequired ? { required: true as const } : {}),
    };
  });
}

const source = '@FILE and - (standard input) are read';

/** `secret create-TYPE`: a value that begins with `@` is read from a file, so that it is not in the list of processes. */
export function creatingSecret(type: SecretType): Run {
  return async (call: Call): Promise<Ending> => {
    const { given } = call;
    const data = await dataOf(call, dataShape(type));
    const [name = '', description] = [given.text('name'), given.text('description')];
    const api = await call.open();
    const body: JsonObject = {
      name,
      type,
      ...(description === undefined ? {} : { description }),
      tags: tagsOf(given.list('tag')),
      data,
    };
    const record = await api.create(homeOf(api, 'secret'), body, hiddenTexts('secret', body));
    await showRecord(call, 'secret', record, api);
    return exitCode.ok;
  };
}

/** `secret reveal REF`: with its values. */
export async function runReveal(call: Call): Promise<Ending> {
  const { api, path, asked } = await openItem(call);
  const record = await asked(api.get(`${path}/-reveal`));
  const { terminal, options } = call.context;
  if (options.form !== 'text') await showRecord(call, 'secret', record, api);
  else await terminal.page(await toText(own(record, 'data') ?? {}, 'yaml'));
  return exitCode.ok;
}

function dataShape(type: SecretType): Shape {
  const shape = shapeOf('secret', { type }).fields.get('data');
  if (shape === undefined) throw new Error(`secrets of the type ${type} have no data`);
  return shape;
}

async function dataOf(call: Call, shape: Shape): Promise<JsonValue> {
  const { given } = call;
  const data: Record<string, JsonValue> = {};
  if (shape.type === 'map') {
    for (const entry of given.list('entry')) {
      const pair = pairOf(entry);
      if (pair === undefined) throw new UsageError('an --entry has no value', 'Write --entry KEY=VALUE, or KEY=@FILE.');
      put(data, pair[0], await textOf(call, pair[1]));
    }
    return data;
  }
  if (shape.type !== 'object') return (await readTextOf(call, given.text('file') ?? '-')).trim();
  for (const [name, field] of shape.fields) {
    const option = camel(kebab(name));
    if (!given.has(option)) continue;
    if (field.type === 'list') put(data, name, given.list(option));
    else put(data, name, await textOf(call, given.text(option) ?? ''));
  }
  return data;
}

/** `@FILE` and `-` without the line end that editors add. */
async function textOf(call: Call, text: string): Promise<string> {
  const isFile = text.startsWith('@');
  if (!isFile && text !== '-') return text;
  return (await readTextOf(call, isFile ? text.slice(1) : '-')).replace(/\r?\n$/, '');
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function words(name: string): string {
  return `the ${kebab(name).replaceAll('-', ' ')}`;
}
