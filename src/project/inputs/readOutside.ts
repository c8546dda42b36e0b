import { isUtf8 } from 'node:buffer';
import { dirname, resolve } from 'node:path';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import {
  type OutsidePlace,
  type OutsideSource,
  outsidePlaces,
  outsideProblem,
  withOutsideValues,
} from '../../manifest/outsidePlaces.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';
import type { OutsideOptions, Unreadable } from './fileBytes.ts';

/** The documents with values from environment variables, files and commands. */
export async function readOutside(
  documentsBefore: readonly ManifestDocument[],
  options: OutsideOptions,
): Promise<ParsedText> {
  const { documents, places, problems } = outsidePlaces(documentsBefore);
  if (places.length === 0) return { documents, problems };

  const values = new Map<OutsidePlace, string>();
  const found: LocatedProblem[] = [...problems];
  const valuesBySource = new Map<string, Promise<string | Unreadable>>();
  // In sequence: concurrent commands would mix on the terminal.
  for (const place of places) {
    const value = await valueAt(place, options, valuesBySource);
    if (typeof value === 'string') values.set(place, value);
    else if (value !== undefined) found.push(outsideProblem(place, value.rule, value.message, value.hint));
  }
  return { documents: withOutsideValues(documents, places, (place) => values.get(place)), problems: found };
}

/** Undefined if it must not be read. */
async function valueAt(
  { source, position }: OutsidePlace,
  options: OutsideOptions,
  valuesBySource: Map<string, Promise<string | Unreadable>>,
): Promise<string | Unreadable | undefined> {
  if (source === undefined) return undefined;
  if (source.from === 'command' && options.commands !== true) return options.commands ? foreign : notAllowed;
  if (!options.wanted) return undefined;

  const folder = source.from === 'file' ? dirname(resolve(options.cwd, position.file)) : '';
  const key = JSON.stringify([source, folder]);
  const before = valuesBySource.get(key);
  if (before !== undefined) return before;
  const value = read(source, folder, options);
  valuesBySource.set(key, value);
  return value;
}

const foreign: Unreadable = {
  rule: 'value.command',
  message: 'commands of a repository are not run',
  hint: 'Take the value from the environment; `variables` of its repository in reconcile.yaml names what it may see.',
};
const notAllowed: Unreadable = {
  rule: 'value.command',
  message: 'gantry.yaml does not allow commands',
  hint: 'Write `secrets: {commands: true}` into the gantry.yaml of this folder, if you trust its manifests.',
};

async function read(source: OutsideSource, folder: string, options: OutsideOptions): Promise<string | Unreadable> {
  switch (source.from) {
    case 'env': {
      const value = options.environment[source.name];
      if (value === undefined || value === '') return unset(source.name, value === '');
      return source.base64 ? Buffer.from(value).toString('base64') : value;
    }
    case 'file': {
      const { fileBytes } = await import('./fileBytes.ts'); // loaded like commands: most manifests need neither
      const bytes = await fileBytes(resolve(folder, source.path), options);
      return Buffer.isBuffer(bytes) ? textOf(bytes, source.base64, 'file') : bytes;
    }
    case 'command': {
      const { commandBytes } = await import('./commandBytes.ts');
      const bytes = await commandBytes(source.command, options);
      return Buffer.isBuffer(bytes) ? textOf(bytes, source.base64, 'output') : bytes;
    }
  }
}

function unset(name: string, isEmpty: boolean): Unreadable {
  return {
    rule: 'value.env',
    message: `the environment variable ${name} is ${isEmpty ? 'empty' : 'not set'}`,
    hint: `Set ${name}; gantry validate needs no values.`,
  };
}

/** Decodes a value. Text loses one final line break, which editors and `echo` add; in base64 every byte counts. */
function textOf(bytes: Buffer, base64: boolean, of: 'file' | 'output'): string | Unreadable {
  const what = of === 'file' ? 'the file' : 'the output of the command';
  if (bytes.length === 0) {
    return { rule: 'value.empty', message: `${what} is empty`, hint: 'Write the value, or leave the field out.' };
  }
  if (base64) return bytes.toString('base64');
  if (!isUtf8(bytes)) {
    const hint = 'Add base64: true beside the source, in a secret whose encoding is base64.';
    return { rule: 'value.encoding', message: `${what} is not UTF-8 text`, hint };
  }
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}
