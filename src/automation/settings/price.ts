import type { StoragePrice } from '../../plan/model/storageUse.ts';
import { isObject, type JsonObject, type JsonValue } from '../../schema/json/json.ts';
import type { Setting, SettingAt } from './setting.ts';
import { described, object } from './settingForms.ts';

const classes: readonly string[] = ['general-purpose-ssd', 'high-throughput-ssd', 'shared'];
/** So that no sum of prices is beyond what a number holds. */
const highest = 1_000_000;

const amountSchema = { type: 'number', minimum: 0, maximum: highest } as const;

const storageGbMonth: Setting<StoragePrice['storageGbMonth']> = {
  schema: {
    anyOf: [
      amountSchema,
      {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(classes.map((name) => [name, amountSchema])),
      },
    ],
  },
  read(value, at) {
    if (isPrice(value)) return value;
    if (!isObject(value)) throw at.bad('must be a number, 0 to 1,000,000, or one for each class');
    return readClasses(value, at);
  },
};

function readClasses(value: JsonObject, at: SettingAt): Readonly<Record<string, number>> {
  const byClass: Record<string, number> = {};
  for (const [name, each] of Object.entries(value)) {
    if (!classes.includes(name)) {
      throw at.bad(`has no class ${JSON.stringify(name)}; there are ${classes.join(', ')}`);
    }
    if (!isPrice(each)) throw at.key(name).bad('must be a number, 0 to 1,000,000');
    byClass[name] = each;
  }
  return byClass;
}

function isPrice(value: JsonValue): value is number {
  return typeof value === 'number' && value >= 0 && value <= highest;
}

const currency: Setting<string> = {
  schema: { type: 'string', pattern: '^[A-Z]{3}$' },
  read(value, at) {
    if (typeof value === 'string' && /^[A-Z]{3}$/.test(value)) return value;
    throw at.bad('must be three letters, such as EUR');
  },
};

const members = object({ storageGbMonth, currency }, 'price: {storageGbMonth: 0.1, currency: EUR}');

/** For one GB in one month, of every class of storage or of each. */
export const price: Setting<StoragePrice> = described('What storage costs.', {
  schema: { ...members.schema, required: ['storageGbMonth', 'currency'] },
  read(value, at) {
    const read = members.read(value, at);
    if (read.currency === undefined) throw at.key('currency').bad('must be three letters, such as EUR');
    if (read.storageGbMonth !== undefined) return { storageGbMonth: read.storageGbMonth, currency: read.currency };
    throw at.key('storageGbMonth').bad('must be a number, 0 to 1,000,000, or one for each class');
  },
});
