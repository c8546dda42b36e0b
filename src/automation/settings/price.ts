import type { StoragePrice } from '../../plan/model/storagePrice.ts';
import { isObject, type JsonValue } from '../../schema/json/json.ts';

const classes: readonly string[] = ['general-purpose-ssd', 'high-throughput-ssd', 'shared'];
/** So that no sum of prices is beyond what a number holds. */
const highest = 1_000_000;
const example = 'price: {storageGbMonth: 0.1, currency: EUR}';

/** `price` of `gantry.yaml`: for one GB in one month, of every class of storage or of each. Throws what `bad` makes. */
export function parsePrice(price: JsonValue | undefined, bad: (message: string) => Error): StoragePrice | undefined {
  if (price === undefined || price === null) return undefined;
  if (!isObject(price)) throw bad(`price must be an object such as \`${example}\``);
  const unknown = Object.keys(price).find((key) => key !== 'storageGbMonth' && key !== 'currency');
  if (unknown !== undefined) throw bad(`price has no ${JSON.stringify(unknown)}: \`${example}\``);

  const { storageGbMonth, currency } = price;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw bad('price.currency must be three letters, such as EUR');
  }
  if (isPrice(storageGbMonth)) return { storageGbMonth, currency };
  if (!isObject(storageGbMonth))
    throw bad('price.storageGbMonth must be a number, 0 to 1,000,000, or one for each class');
  const byClass: Record<string, number> = {};
  for (const [name, each] of Object.entries(storageGbMonth)) {
    if (!classes.includes(name)) {
      throw bad(`price.storageGbMonth has no class ${JSON.stringify(name)}; there are ${classes.join(', ')}`);
    }
    if (!isPrice(each)) throw bad(`price.storageGbMonth.${name} must be a number, 0 to 1,000,000`);
    byClass[name] = each;
  }
  return { storageGbMonth: byClass, currency };
}

function isPrice(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= highest;
}
