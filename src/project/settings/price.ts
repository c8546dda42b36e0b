import { object, optional, type Reader, textLike, value } from '../../base/form/read.ts';
import { isObject } from '../../base/json/json.ts';
import type { StoragePrice } from '../../plan/model/storageUse.ts';

const classes: readonly string[] = ['general-purpose-ssd', 'high-throughput-ssd', 'shared'];
/** Keeps sums of prices within the range of numbers. */
const maxPrice = 1_000_000;

const amount = value(isPrice, 'a number, 0 to 1,000,000', { type: 'number', minimum: 0, maximum: maxPrice });
const byClass = object(Object.fromEntries(classes.map((name): [string, Reader<number>] => [name, optional(amount)])));

const storageGbMonth: Reader<StoragePrice['storageGbMonth']> = {
  schema: { anyOf: [amount.schema, byClass.schema] },
  read(given, at) {
    if (isObject(given)) return byClass.read(given, at);
    if (isPrice(given)) return given;
    throw at.bad('must be a number, 0 to 1,000,000, or one for each class');
  },
};

function isPrice(given: unknown): given is number {
  return typeof given === 'number' && given >= 0 && given <= maxPrice;
}

const currency = textLike((given) => /^[A-Z]{3}$/.test(given), 'three letters, such as EUR', {
  type: 'string',
  pattern: '^[A-Z]{3}$',
});

const priceMembers = object(
  { storageGbMonth, currency },
  { example: 'An example: price: {storageGbMonth: 0.1, currency: EUR}' },
);

/** Per GB and month, for all classes of storage or for each. */
export const price: Reader<StoragePrice> = {
  ...priceMembers,
  schema: { ...priceMembers.schema, type: ['object', 'null'] },
};
