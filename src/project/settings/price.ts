import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import type { StoragePrice } from '../../plan/model/storageUse.ts';
import { badSettings, readEach, type Setting, type SettingAt } from './setting.ts';
import { object } from './settingForms.ts';

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
  const reads = Object.entries(value).map(([name, each]) => () => {
    if (!classes.includes(name)) {
      throw badSettings(at.key(name), `${at.path} has no class ${JSON.stringify(name)}. ${available(classes)}`);
    }
    if (!isPrice(each)) throw at.key(name).bad('must be a number, 0 to 1,000,000');
    return [name, each] as const;
  });
  return Object.fromEntries(readEach(reads));
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

const example = 'price: {storageGbMonth: 0.1, currency: EUR}';
const members = object({ storageGbMonth, currency }, example);

/** For one GB in one month, of every class of storage or of each. */
export const price: Setting<StoragePrice> = {
  schema: { ...members.schema, required: ['storageGbMonth', 'currency'] },
  read(value, at) {
    const { storageGbMonth: amount, currency: unit } = members.read(value, at);
    if (amount === undefined || unit === undefined) {
      throw at.bad(`needs storageGbMonth and currency, as in \`${example}\``);
    }
    return { storageGbMonth: amount, currency: unit };
  },
};
