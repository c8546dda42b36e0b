import type { SQLOutputValue } from 'node:sqlite';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { type Kind, kindNamed } from '../../../schema/record/kinds.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { storageDamaged } from './storageFailure.ts';

/**
 * The value of a column or of a stored JSON text, before its type is checked. A wrong type means a damaged database.
 */
export type Stored = SQLOutputValue | JsonValue | undefined;

export type Columns = Readonly<Record<string, SQLOutputValue>>;

export function parseObject(text: Stored): JsonObject {
  const value = text === '{}' ? {} : parsed(textOf(text));
  if (!isObject(value)) throw storageDamaged('a record in it is not an object');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw storageDamaged('a record in it is not JSON');
  }
}

export function textOf(value: Stored): string {
  if (typeof value !== 'string') throw storageDamaged('a value in it is not text');
  return value;
}

export function numberOf(value: Stored): number {
  if (typeof value !== 'number') throw storageDamaged('a value in it is not a number');
  return value;
}

export function kindOf(value: Stored): Kind {
  const kind = kindNamed(value);
  if (kind === undefined) {
    throw new ApiFailure(
      409,
      `the database contains records of the kind ${String(value)}, which nothing defines: define it under kinds ` +
        'in gantry.yaml; for gantry serve, give that file as --kinds',
    );
  }
  return kind;
}
