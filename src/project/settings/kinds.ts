import { isObject } from '../../base/json/json.ts';
import type { CustomKinds } from '../../schema/record/customKinds.ts';
import { readCustomKinds } from '../../schema/shape/readCustomKind.ts';
import { badSettings, readEach, type Setting } from './setting.ts';

const texts = { type: 'array', items: { type: 'string' } } as const;

/** Kinds that the schema does not know. */
export const kinds: Setting<CustomKinds> = {
  schema: {
    type: ['object', 'null'],
    additionalProperties: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: {
        scope: { enum: ['org', 'gvc'] },
        immutable: texts,
        listKeys: { type: 'object', additionalProperties: { type: 'string' } },
        disposable: { type: 'boolean' },
      },
    },
  },
  read(value, at) {
    if (!isObject(value)) throw at.bad('must be an object such as `kinds: {widget: {scope: org}}`');
    const reads = Object.entries(value).map(([name, said]) => () => {
      const read = readCustomKinds({ [name]: said });
      if (!read.ok) throw badSettings(at.key(name), `kinds.${read.message}`);
      return Object.entries(read.kinds);
    });
    return Object.fromEntries(readEach(reads).flat());
  },
};
