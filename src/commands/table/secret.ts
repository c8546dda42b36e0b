import { isUtf8 } from 'node:buffer';
import { type JsonObject, type JsonValue, own, put } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import {
  descriptionOption,
  nameOption,
  type OptionRow,
  pairOf,
  required,
  tagOption,
} from '../../kinds/common/client.ts';
import { type SecretType, secretTypes } from '../../kinds/secret/fields.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { toText } from '../../terminal/answer.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Call, CommandRow, Run } from '../call/command.ts';
import { readBytesOf } from '../call/input.ts';
import { openItem } from '../call/item.ts';
import { homeOf } from '../call/paths.ts';
import { showRecord } from '../call/present.ts';
import { readRecord } from '../call/readRecord.ts';
import { tagsOf } from '../call/tags.ts';

const source = '@FILE and - (standard input) are read';

/** Commands for secrets only; their options come from the shape of each type, which takes some time to load. */
export const secretRows: readonly CommandRow[] = [
  {
    verb: 'reveal',
    about: 'show a secret with its values',
    args: ['<ref>'],
    calls: 'GET item/-reveal',
    load: () => Promise.resolve(runReveal),
  },
  ...secretTypes.map(
    (type): CommandRow => ({
      verb: `create-${type}`,
      about: `create a secret of the type ${type}`,
      options: [required(nameOption), descriptionOption, tagOption, ...secretOptions(type)],
      calls: 'POST collection, GET Location',
      load: () => Promise.resolve(creatingSecret(type)),
    }),
  ),
];

/** The options of `secret create-TYPE`, from the shape of its `data`. */
function secretOptions(type: SecretType): readonly OptionRow[] {
  const data = dataShape(type);
  if (data.type === 'map') {
    return [
      { flags: '--entry <key=value>', about: `an entry; the value ${source}`, isRepeatable: true, required: true },
    ];
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
      ...(field.type === 'list' ? { isRepeatable: true as const } : {}),
      ...(isRequired ? { required: true as const } : {}),
    };
  });
}

/** `secret create-TYPE`: a value that starts with `@` is read from a file, which hides it in the list of processes. */
function creatingSecret(type: SecretType): Run {
  return async (call: Call): Promise<Ending> => {
    const { given } = call;
    const data = await dataOf(call, type);
    const [name = '', description] = [given.text('name'), given.text('description')];
    const api = await call.open();
    const body: JsonObject = {
      name,
      type,
      ...present({ description }),
      tags: tagsOf(given.list('tag')),
      data,
    };
    const record = await api.create(homeOf(api, 'secret'), body, hiddenTexts('secret', body));
    await showRecord(call, 'secret', record, api);
    return exitCode.ok;
  };
}

/** `secret reveal REF`: with its values. */
async function runReveal(call: Call): Promise<Ending> {
  const { api, ref, withSuggestion } = await openItem(call);
  const record = await withSuggestion(readRecord(api, ref, '/-reveal'));
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

async function dataOf(call: Call, type: SecretType): Promise<JsonValue> {
  const { given } = call;
  const shape = dataShape(type);
  const inputs = new Inputs(call, type);
  const data: Record<string, JsonValue> = {};
  if (shape.type === 'map') {
    for (const entry of given.list('entry')) {
      const pair = pairOf(entry);
      if (pair === undefined) throw new UsageError('an --entry has no value', 'Write --entry KEY=VALUE, or KEY=@FILE.');
      put(data, pair[0], await inputs.text(pair[1]));
    }
    return data;
  }
  if (shape.type !== 'object') return inputs.textIn(given.text('file') ?? '-');
  for (const [name, field] of shape.fields) {
    const option = camel(kebab(name));
    if (!given.has(option)) continue;
    if (field.type === 'list') put(data, name, await Promise.all(given.list(option).map((text) => inputs.text(text))));
    else if (name === encoded[type]) {
      const { text, encoding } = await inputs.encodable(given.text(option) ?? '', given.text('encoding'));
      put(data, name, text);
      if (encoding !== undefined) put(data, 'encoding', encoding);
    } else if (name !== 'encoding') put(data, name, await inputs.text(given.text(option) ?? ''));
  }
  return data;
}

/** The field that may contain bytes in base64, depending on `encoding` (platform/secret). */
const encoded: Partial<Record<SecretType, string>> = { opaque: 'payload', userpass: 'password' };

/** The values of a command line: taken literally, or from `@FILE` and `-`, whose bytes are unchanged. */
class Inputs {
  readonly #call: Call;
  readonly #type: SecretType;
  #usesStdin = false;

  constructor(call: Call, type: SecretType) {
    this.#call = call;
    this.#type = type;
  }

  async text(value: string): Promise<string> {
    const path = pathOf(value);
    return path === undefined ? value : this.textIn(path);
  }

  /** Errors: `input.file` if it is not text. */
  async textIn(path: string): Promise<string> {
    const bytes = await this.#read(path);
    if (isText(bytes)) return bytes.toString('utf8');
    const place = path === '-' ? 'standard input' : path;
    throw new ToolError({
      code: 'input.file',
      message: `${place}: this is not UTF-8 text, and secrets of the type ${this.#type} take only text here`,
      hint: 'gantry secret create-opaque --payload @FILE stores bytes, in base64.',
      place: { file: path },
    });
  }

  /** Bytes that are not text are encoded in base64. With `--encoding base64` a text is base64 already. */
  async encodable(value: string, encoding: string | undefined): Promise<{ text: string; encoding?: string }> {
    const path = pathOf(value);
    if (path === undefined) return { text: value, ...present({ encoding }) };
    const bytes = await this.#read(path);
    if (encoding === 'base64') {
      const text = bytes.toString('latin1').trim();
      return { text: /^[\w+/-]*={0,2}$/.test(text) ? text : bytes.toString('base64'), encoding };
    }
    if (isText(bytes)) return { text: bytes.toString('utf8'), ...present({ encoding }) };
    if (encoding === undefined) return { text: bytes.toString('base64'), encoding: 'base64' };
    throw new UsageError(
      `${path === '-' ? 'standard input' : path} is not UTF-8 text, as --encoding ${encoding} says`,
      'Leave out --encoding: the bytes are then stored in base64.',
    );
  }

  #read(path: string): Promise<Buffer> {
    if (path === '-' && this.#usesStdin) {
      throw new UsageError('- is given twice, and standard input can be read once', 'Give one of the values as @FILE.');
    }
    this.#usesStdin ||= path === '-';
    return readBytesOf(this.#call, path);
  }
}

/** The path in a value; `-` is standard input; undefined if it is a literal value. */
function pathOf(value: string): string | undefined {
  if (value === '-') return value;
  return value.startsWith('@') ? value.slice(1) : undefined;
}

/** A NUL is valid UTF-8, but is treated as binary. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
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
