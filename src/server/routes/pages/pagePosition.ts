import { isArray } from '../../../base/json/json.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import type { Cursor, Row } from '../../store/row.ts';
import { decode, encode } from './paging.ts';

/** The cursor is the last record shown, so that no page repeats or skips a record. */
export function cursorAfter({ createdMs, name, seq }: Row): string {
  return encode([createdMs, name, seq]);
}

/** The position at which the page begins. */
export function positionIn(parameters: URLSearchParams): Cursor | undefined {
  const text = parameters.get('next');
  if (text === null) return undefined;
  const value = decode(text);
  const [createdMs, name, seq] = isArray(value) ? value : [];
  if (typeof createdMs !== 'number' || typeof name !== 'string' || typeof seq !== 'number') {
    throw new ApiFailure(400, 'next is not a cursor');
  }
  return { createdMs, name, seq };
}
